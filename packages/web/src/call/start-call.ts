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

/** Somebody waits: after a loss of any length it goes on within 5 s of the network's return. */
const BACKOFF_CAP_MS = 4_000

/** A call to the server that this page is from. It is opened by `open()`. */
export function makeCall({ accessToken, joinToken, version, ...rest }: CallOptions): Call {
  const control = new ControlClient(platformEnvironment(), {
    url: controlUrl(window.location),
    accessToken,
    ...(joinToken !== undefined && { joinToken }),
    client: { name: 'web', version, platform: 'web' },
    backoffCapMs: BACKOFF_CAP_MS,
  })
  return new Call({ ...rest, control, openPeer: openMediasoupPeer, captureScreen })
}

const controlUrl = ({ protocol, host }: Location) =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1.0/control`
