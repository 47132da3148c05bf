/**
 * The SHA-256 of allowed release archives of mediasoup by name, such as
 * "mediasoup-worker-3.27.1-linux-x64-kernel6.tgz". Before you add one, compare the archive with your own build. Other
 * archives are not downloaded (decision 27). No release contains tcp-connections.patch (decision 30).
 *
 * @type {Record<string, string>}
 */
export const pinnedArchives = {}
