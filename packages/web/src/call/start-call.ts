import { ControlClient, type ControlClientOptions, platformEnvironment } from '@lectern/control-client'
import { Call } from './call.ts'
import { captureScreen } from './media/capture-screen.ts'
import { openMediasoupPeer } from './media/mediasoup.ts'
import type { Entrance } from './membership.ts'
import type { OwnInput } from './ports.ts'
import { assertReachable } from './reachability.ts'

export interface CallOptions extends Entrance, Pick<ControlClientOptions, 'accessToken' | 'joinToken'> {
  microphone: OwnInput
  camera: OwnInput
  /** Of this page. */
  version: string
  tcpOnly?: boolean
}

/** Somebody waits: a try that finds no server costs little, and the one after its return is soon. */
const BACKOFF_CAP_MS = 2_000

/** A call to the server that this page is from. It is opened by `open()`. */
export function makeCall({ accessToken, joinToken, version, ...rest }: CallOptions): Call {
  const control: ControlClient = new ControlClient(platformEnvironment(), {
    url: controlUrl(window.location),
    accessToken: async refused => {
      const state = control.state.get()
      if (state.is === 'connecting' && state.attempt > 0) await assertReachable()
      return accessToken(refused)
    },
    ...(joinToken !== undefined && { joinToken }),
    client: { name: 'web', version, platform: 'web' },
    backoffCapMs: BACKOFF_CAP_MS,
  })
  return new Call({ ...rest, control, openPeer: openMediasoupPeer, captureScreen })
}

const controlUrl = ({ protocol, host }: Location) =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1.0/control`
