import { mediaHostAddress } from '../address.ts'
import type { Config } from '../config/index.ts'
import type { MediaServer, SfuEvents } from '../media/ports.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'

/** The media server: workers of this process, or the media nodes of the cluster. Each is loaded only when it is used. */
export async function composeMedia(
  { config, log, lifetime }: ServerContext,
  { identity, members, network }: ClusterPart,
  events: SfuEvents,
): Promise<MediaServer> {
  if (network && config.Cluster.MediaNodes) {
    const { RemoteMedia } = await import('../cluster/media/remote-media.ts')
    const media = new RemoteMedia({ network, members, self: identity, events, log })
    return lifetime.own('media on media nodes', media, each => each.stop())
  }
  const { Sfu } = await import('../media/sfu.ts')
  const sfu = await Sfu.start(mediaSettings(config), { events, log, ...roomSettings(config) })
  return lifetime.own('media workers', sfu, each => each.stop())
}

export const mediaSettings = (config: Config) => ({
  listenIp: config.Media.ListenIp,
  announcedAddress: config.Media.AnnouncedAddress,
  hostAddress: () => mediaHostAddress(config),
  port: config.Media.Port,
  workers: config.Media.Workers,
  maxIncomingBitrate: config.Media.MaxIncomingKbps * 1000,
})

export const roomSettings = ({ Media }: Config) => ({ consumersPerWorker: Media.ConsumersPerWorker })
