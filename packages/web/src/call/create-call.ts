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
}

/** A user is waiting: attempts are cheap, and the reconnect after the server's return is quick. */
const RETRY_CAP_MS = 2_000

/** Creates a call to the server of this page; `open()` starts it. */
export function createCall({ accessToken, joinToken, ...rest }: CreateCallOptions): Call {
  const control = createControl({
    accessToken,
    ...(joinToken !== undefined && { joinToken }),
    backoffCapMs: RETRY_CAP_MS,
  })
  return new Call({ ...rest, control, openTransports: openMediasoupTransports, captureScreen })
}
