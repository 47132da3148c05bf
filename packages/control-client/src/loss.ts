import {
  type CloseCode,
  type ControlErrorCode,
  closeCodes,
  type LoginErrorCode,
  loginErrors,
} from '@lectern/protocol/control/client'

/** How a connection, or a try at one, was lost. */
export type Loss =
  | { is: 'closed'; code: number; reason: string }
  | { is: 'refused'; code: LoginErrorCode }
  | { is: 'wrong-frame'; code: ControlErrorCode }
  | { is: 'retry-later'; afterMs: number | undefined }
  | { is: 'signed-out' }
  | { is: 'no-token' }
  | { is: 'silent' }
  | { is: 'sync-timeout' }
  | { is: 'stale-binding' }

/** What a client does next, in the words of the table of close codes. */
export type NextStep = (typeof closeCodes)[CloseCode]['clientAction']

export interface Consequence {
  step: NextStep
  /** For machines: an error code, or the reason of the close frame. */
  reason: string
  /** Not at once, not even the first time, and not sooner because the network is back. */
  patient?: true
  /** The server's own wish. */
  afterMs?: number | undefined
}

export function consequence(loss: Loss): Consequence {
  switch (loss.is) {
    case 'closed':
      return afterClose(loss.code, loss.reason)
    case 'refused':
      return afterClose(loginErrors[loss.code], loss.code)
    case 'wrong-frame':
      return afterClose(4400, loss.code)
    case 'retry-later':
      return { step: 'reconnect', reason: 'retry_later', patient: true, afterMs: loss.afterMs }
    case 'signed-out':
      return { step: 'stop', reason: 'unauthenticated' }
    case 'no-token':
    case 'silent':
    case 'sync-timeout':
    case 'stale-binding':
      return { step: 'reconnect', reason: loss.is.replace('-', '_') }
  }
}

/** Codes outside the table, such as 1006 for a broken connection, mean no more than that it is gone. */
function afterClose(code: number, reason: string): Consequence {
  const known = closeCodes[code as CloseCode]
  if (!known) return { step: 'reconnect', reason: reason || 'connection_lost' }
  return {
    step: known.clientAction,
    reason: reason || known.reasons[0],
    ...(isAboutTooMuch(code) && { patient: true }),
  }
}

const isAboutTooMuch = (code: number) => code === 4429 || code === 1013
