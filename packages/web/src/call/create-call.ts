import { Lifetime } from '@lectern/common'
import { reportPresence } from '../account-connection/report-presence.ts'
import { type CreateControlOptions, createControl } from '../control/create-control.ts'
import { Call } from './call.ts'
import type { ChatOptions } from './chat.ts'
import { captureScreen } from './media/capture-screen.ts'
import { openMediasoupTransports } from './media/mediasoup-transports.ts'
import type { JoinOptions } from './membership.ts'
import type { LocalInput } from './ports.ts'

export interface CreateCallOptions
  extends ChatOptions,
    JoinOptions,
    Pick<CreateControlOptions, 'accessToken' | 'joinToken'> {
  microphone: LocalInput
  camera: LocalInput
  tcpOnly?: boolean
  /** The signed-in account: a hidden page of it gets notifications. */
  userId?: number
}

/** A user is waiting: attempts are cheap, and the reconnect after the server's return is quick. */
const RETRY_CAP_MS = 2_000

/** Creates a call to the server of this page; `open()` starts it. */
export function createCall({ accessToken, joinToken, userId, ...rest }: CreateCallOptions): Call {
  const control = createControl({
    accessToken,
    ...(joinToken !== undefined && { joinToken }),
    backoffCapMs: RETRY_CAP_MS,
    conference: rest.tag,
  })
  const call = new Call({ ...rest, control, openTransports: openMediasoupTransports, captureScreen })
  if (userId !== undefined) {
    const lifetime = new Lifetime()
    const self = { kind: 'account', id: String(userId) } as const
    const { command, onStart } = control
    reportPresence({ command: command.bind(control), onStart, self, lifetime }, document)
    call.subscribe(() => call.get().is === 'ended' && void lifetime.close())
  }
  return call
}
