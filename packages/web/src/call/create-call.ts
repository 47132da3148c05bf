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
  /** Of this page. */
  version: string
  tcpOnly?: boolean
}

/** Somebody waits: a try that finds no server costs little, and the one after its return is soon. */
const RETRY_CAP_MS = 2_000

/** A call to the server that this page is from. It is opened by `open()`. */
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
