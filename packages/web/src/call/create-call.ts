import { ControlClient, type ControlClientOptions, platformEnvironment } from '@lectern/control-client'
import { Call } from './call.ts'
import { captureScreen } from './media/capture-screen.ts'
import { openMediasoupTransports } from './media/mediasoup-transports.ts'
import type { JoinOptions } from './membership.ts'
import type { LocalInput } from './ports.ts'
import { assertReachable } from './reachability.ts'

export interface CreateCallOptions
  extends JoinOptions,
    Pick<ControlClientOptions, 'accessToken' | 'joinToken'> {
  microphone: LocalInput
  camera: LocalInput
  /** Of this page, for the server's log. */
  version: string
  tcpOnly?: boolean
}

/** A user is waiting: attempts are cheap, and the reconnect after the server's return is quick. */
const RETRY_CAP_MS = 2_000

/** Creates a call to the server of this page; `open()` starts it. */
export function createCall({ accessToken, joinToken, version, ...rest }: CreateCallOptions): Call {
  const control: ControlClient = new ControlClient(platformEnvironment(), {
    url: controlUrl(window.location),
    accessToken: async refused => {
      const state = control.state.get()
      if (state.is === 'connecting' && state.attempt > 0) await assertReachable()
      return accessToken(refused)
    },
    ...(joinToken !== undefined && { joinToken }),
    client: { name: 'web', version, platform: 'web' },
    backoffCapMs: RETRY_CAP_MS,
  })
  return new Call({ ...rest, control, openTransports: openMediasoupTransports, captureScreen })
}

const controlUrl = ({ protocol, host }: Location) =>
  `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/api/v1.0/control`
