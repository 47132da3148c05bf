/**
 * SHA-256 of mediasoup's release archives that may be used, by their names, such as
 * "mediasoup-worker-3.19.3-linux-x64-kernel6.tgz". Whoever adds one has compared the archive with a build of their own. An
 * archive that is not here is not even downloaded (decision 27). None has the bounds of tcp-connections.patch (decision 30).
 *
 * @type {Record<string, string>}
 */
export const pinnedArchives = {}
