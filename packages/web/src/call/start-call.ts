import { ControlClient, type ControlClientOptions, platformEnvironment } from '@lectern/control-client'
import { Call } from './call.ts'
import { captureScreen } from './media/capture-screen.ts'
import { openMediasoupPeer } from './media/mediasoup.ts'
import type { Entrance } from './membership.ts'
import type { OwnInput } from './ports.ts'

export interface CallOptions extends Entrance, Pick<ControlClientOptions, 'accessToken' | 'joinToken'> {
  microphone: OwnInput
  camera: OwnInput
  /** Of this page. */
  version: string
  tcpOnly?: boolean
}

/** A call to the server that this page is from. It is opened by `open()`. */
export function makeCall({ accessToken, joinToken, version, ...rest }: CallOptions): Call {
  const control = new ControlClient(platformEnvironment(), {
    url: controlUrl(window.location),
    accessToken,
    ...(joinToken !== undefined && { joinToken }),
    client: { name: 'web', version, platform: 'web' },
  })
  return new Call({ ...rest, control, openPeer: openMediasoupPeer, captureScreen })
}

const controlUrl = ({ protocol, host }: Location) =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1.0/control`
