import { Lifetime } from '@lectern/common'
import { reportPresence } from '../account-connection/report-presence.ts'
import { Call } from './call.ts'
import type { ChatOptions } from './chat.ts'
import { type CallConnectionOptions, connectCall } from './connect-call.ts'
import { canScaleCamera } from './media/can-scale-camera.ts'
import { captureScreen } from './media/capture-screen.ts'
import { receivingCapabilities } from './media/mediasoup-device.ts'
import { openMediasoupTransports } from './media/mediasoup-transports.ts'
import type { JoinOptions } from './membership.ts'
import type { LocalInput } from './ports.ts'
import type { PreparedConnection } from './prepared-connection.ts'

export interface CreateCallOptions extends ChatOptions, JoinOptions, CallConnectionOptions {
  microphone: LocalInput
  camera: LocalInput
  tcpOnly?: boolean
  /** The signed-in account: a hidden page of it gets notifications. */
  userId?: number
  /** A preparation for the same person and conference. */
  prepared?: PreparedConnection | undefined
}

/** Creates a call to the server of this page; `open()` starts it. */
export function createCall({ accessToken, joinToken, userId, prepared, ...rest }: CreateCallOptions): Call {
  const { tag } = rest
  const control =
    prepared?.take() ?? connectCall({ accessToken, ...(joinToken !== undefined && { joinToken }), tag })
  const call = new Call({
    ...rest,
    control,
    accessToken,
    openTransports: openMediasoupTransports,
    receivingCapabilities,
    canScaleCamera,
    captureScreen,
  })
  if (userId !== undefined) {
    const lifetime = new Lifetime()
    const self = { kind: 'account', id: String(userId) } as const
    const { command, onStart } = control
    reportPresence({ command: command.bind(control), onStart, self, lifetime }, document)
    call.subscribe(() => call.get().is === 'ended' && void lifetime.close())
  }
  return call
}
