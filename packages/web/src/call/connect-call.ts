import type { ControlClient } from '@lectern/control-client'
import { type CreateControlOptions, createControl } from '../control/create-control.ts'

export interface CallConnectionOptions extends Pick<CreateControlOptions, 'accessToken' | 'joinToken'> {
  /** The conference's tag. */
  tag: string
}

/** A user is waiting: attempts are cheap, and the reconnect after the server's return is quick. */
const RETRY_CAP_MS = 2_000

/** Creates the control client of a call; `open()` connects it. */
export const connectCall = ({ accessToken, joinToken, tag }: CallConnectionOptions): ControlClient =>
  createControl({
    accessToken,
    ...(joinToken !== undefined && { joinToken }),
    backoffCapMs: RETRY_CAP_MS,
    conference: tag,
  })
