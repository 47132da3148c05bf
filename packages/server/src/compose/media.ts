import type { MediaServer, SfuEvents } from '../media/ports.ts'
import { announcedAddress, mediaHostAddress } from '../platform/address.ts'
import type { Config } from '../platform/config/index.ts'
import type { ServerContext } from './context.ts'

/** The media server in workers of this process. Its libraries are loaded only when it is used. */
export async function startSfu(
  { config, log, lifetime }: Pick<ServerContext, 'config' | 'log' | 'lifetime'>,
  events: SfuEvents,
): Promise<MediaServer> {
  const { Sfu } = await import('../media/sfu.ts')
  const sfu = await Sfu.start(mediaSettings(config), { events, log, ...roomSettings(config) })
  return lifetime.own('media workers', sfu, each => each.stop())
}

export const mediaSettings = (config: Config) => ({
  listenIp: config.Media.ListenIp,
  announcedAddress: config.Media.AnnouncedAddress,
  hostAddress: () =>
    config.Media.AnnouncedAddress ? null : announcedAddress(config) || mediaHostAddress(config),
  port: config.Media.Port,
  workers: config.Media.Workers,
  maxIncomingBitrate: config.Media.MaxIncomingKbps * 1000,
})

export const roomSettings = ({ Media }: Config) => ({ consumersPerWorker: Media.ConsumersPerWorker })
