import { ipAddress } from './addresses.ts'
import { checkClusterSecret } from './cluster.ts'
import { ConfigError } from './ini.ts'
import { integer, text } from './values.ts'

/** Keys of [MediaNode], for the program `lectern media-node`. */
export const mediaNodeKeys = {
  Host: text('Address on which a media node serves its state and metrics.', '127.0.0.1'),
  PipeAddress: ipAddress(
    'Address of a media node at which other media nodes reach it, for sessions that use several: UDP, on free ports. Empty means [Media] ListenIp, or an address of the machine if that is a wildcard.',
  ),
  Port: integer('Port of the state and metrics of a media node; 0 selects a free one.', 8090, 0, 65_535),
}

interface Settings {
  Server: { JwtSecret: string }
  Cluster: { Nats: readonly unknown[] }
}

/** Throws a ConfigError if a media node cannot run with the settings. */
export function checkMediaNode({ Server, Cluster }: Settings): void {
  if (Cluster.Nats.length === 0)
    throw new ConfigError('[Cluster] Nats is missing: a media node serves the servers of a cluster')
  checkClusterSecret(Server)
}
