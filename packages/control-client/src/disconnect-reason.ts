import {
  type CloseCode,
  type ControlErrorCode,
  closeCodes,
  type LoginErrorCode,
  loginErrors,
} from '@lectern/protocol/control/client'

/** Why a connection, or an attempt to connect, failed. */
export type DisconnectReason =
  | { is: 'closed'; code: number; reason: string }
  | { is: 'refused'; code: LoginErrorCode }
  | { is: 'invalid-frame'; code: ControlErrorCode }
  | { is: 'retry-later'; afterMs: number | undefined }
  | { is: 'signed-out' }
  | { is: 'no-token' }
  | { is: 'silent' }
  | { is: 'sync-timeout' }
  | { is: 'stale-binding' }
  | { is: 'elsewhere' }

/** The next step of a client, as the table of close codes names it. */
export type ClientAction = (typeof closeCodes)[CloseCode]['clientAction']

export interface DisconnectHandling {
  action: ClientAction
  /** For machines: an error code, or the reason of the close frame. */
  reason: string
  /** The first retry waits too, and neither `online()` nor `wake()` shortens the wait. */
  mustBackOff?: true
  /** The delay that the server requested. */
  afterMs?: number | undefined
}

export function handlingOf(reason: DisconnectReason): DisconnectHandling {
  switch (reason.is) {
    case 'closed':
      return handlingOfClose(reason.code, reason.reason)
    case 'refused':
      return handlingOfClose(loginErrors[reason.code], reason.code)
    case 'invalid-frame':
      return handlingOfClose(4400, reason.code)
    case 'retry-later':
      return { action: 'reconnect', reason: 'retry_later', mustBackOff: true, afterMs: reason.afterMs }
    case 'signed-out':
      return { action: 'stop', reason: 'unauthenticated' }
    case 'no-token':
    case 'silent':
    case 'sync-timeout':
    case 'stale-binding':
    case 'elsewhere':
      return { action: 'reconnect', reason: reason.is.replace('-', '_') }
  }
}

/** Codes outside the table, such as 1006 for a broken connection, lead to a reconnect. */
function handlingOfClose(code: number, reason: string): DisconnectHandling {
  const known = closeCodes[code as CloseCode]
  if (!known) return { action: 'reconnect', reason: reason || 'connection_lost' }
  return {
    action: known.clientAction,
    reason: reason || known.reasons[0],
    ...(isOverload(code) && { mustBackOff: true }),
  }
}

const isOverload = (code: number) => code === 4429 || code === 1013
