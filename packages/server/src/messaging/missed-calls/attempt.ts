import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { type Attempt, type MakeAttempt, readBeforeSending } from '../../platform/delivery/queue.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import type { MissedCallMailStore } from '../stores/missed-call-mails.ts'
import type { MailSettlement, MissedCallDelivery, MissedCallNotice } from './ports.ts'

export interface MailAttemptParts {
  store: MissedCallMailStore
  /** Rejects if the mail server does not accept it. */
  send: (mail: Mail) => Promise<void>
  mailOf: (notice: MissedCallNotice) => Mail
  clock: Clock
  log: Pick<Logger, 'warn'>
}

/** A mail server that is slower gets the mail again. */
const ATTEMPT_MAX_MS = 40_000
/** After each attempt. What fails after the last one as well is given up. */
const DELAYS_MS = [60_000, 300_000, 1_800_000, 7_200_000]

/** Sends mails of missed calls, and records what became of them (rules MISS-3 and MISS-5). */
export const mailAttempts =
  (parts: MailAttemptParts): MakeAttempt<MissedCallDelivery> =>
  async attempt => {
    const { delivery, leaseToken } = attempt
    const notice = await readBeforeSending(
      () => parts.store.describe(delivery.id),
      atMs => parts.store.settle(delivery.id, leaseToken, { is: 'returned', atMs }),
      parts.clock,
    )
    const failure = notice && (await send(parts, parts.mailOf(notice), attempt))
    const settlement = failure ? settle(failure, delivery, parts.clock()) : { is: 'done' as const }
    await parts.store.settle(delivery.id, leaseToken, settlement)
    if (!failure) return notice ? true : undefined
    // Without the message of the error, which may contain the address.
    const about = {
      mail: delivery.id,
      attempt: delivery.attempts,
      reason: failure.code,
      status: failure.status,
    }
    parts.log.warn(
      { ...about, given_up: settlement.is === 'done' },
      'the mail server did not accept the mail of a missed call: retried unless given up; see [Mail]',
    )
    return failure.status !== null
  }

interface Failure {
  code: string
  /** The status that the mail server answered; null: it did not answer. */
  status: number | null
}

/** Null: the mail server has accepted it. */
function send(
  { send }: MailAttemptParts,
  mail: Mail,
  { signal }: Attempt<MissedCallDelivery>,
): Promise<Failure | null> {
  const aborted = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MAX_MS)])
  const isOver = sleep(2 * ATTEMPT_MAX_MS, null, { signal: aborted, ref: false })
  return Promise.race([send(mail), isOver]).then(
    () => null,
    ({ code = 'unknown', responseCode }: { code?: string; responseCode?: number }) => ({
      code,
      status: responseCode ?? null,
    }),
  )
}

/** A refusal of the mail is final (5xx), one of the sign-in is a mistake of the operator's. */
function settle({ code, status }: Failure, { attempts }: MissedCallDelivery, nowMs: number): MailSettlement {
  const isFinal = status !== null && status >= 500 && code !== 'EAUTH'
  const delayMs = DELAYS_MS[attempts - 1]
  return isFinal || delayMs === undefined ? { is: 'done' } : { is: 'retry', atMs: nowMs + delayMs }
}
