import type { Language } from '@lectern/protocol'
import type { Logger } from 'pino'
import type { Clock } from '../../platform/clock.ts'
import { ConcurrencyLimiter } from '../../platform/delivery/concurrency-limiter.ts'
import { DeliveryQueue } from '../../platform/delivery/queue.ts'
import type { Mail, Mailer } from '../../platform/mail/mailer.ts'
import { missedCallMail } from '../../platform/mail/missed-call.ts'
import type { MissedCallMailStore } from '../stores/missed-call-mails.ts'
import { mailAttempts } from './attempt.ts'
import type { MissedCallDelivery, MissedCallNotice } from './ports.ts'

export interface MissedCallMailsParts {
  store: MissedCallMailStore
  mailer: Pick<Mailer, 'send'>
  /** `[Mail] Language`. */
  language: Language
  publicUrl: () => string
  /** The path with which the person unsubscribes. */
  unsubscribePath: (userId: number) => string
  clock: Clock
  log: Logger
  setBackMs?: number
}

const CONCURRENCY = { total: 2, perTarget: 2 }
/** Longer than an attempt, of which a mail server may take 40 s. */
const LEASE_MS = 60_000
/** Nobody wants to know the next day what the page of calls shows. */
const KEPT_MS = 24 * 3_600_000

/** Sends the mails of missed calls (docs/calls.md#mails). */
export class MissedCallMails {
  readonly #parts: MissedCallMailsParts
  readonly #queue: DeliveryQueue<MissedCallDelivery>

  constructor(parts: MissedCallMailsParts) {
    const { store, mailer, clock, log } = parts
    this.#parts = parts
    const attempt = mailAttempts({ store, send: mail => mailer.send(mail), mailOf: this.#mailOf, clock, log })
    const limiter = new ConcurrencyLimiter(CONCURRENCY)
    this.#queue = new DeliveryQueue({ ...parts, kind: 'mail', attempt, limiter, leaseMs: LEASE_MS })
  }

  start(): void {
    this.#queue.start()
  }

  /** Waits briefly for mails that are being sent. */
  stop(): Promise<void> {
    return this.#queue.stop()
  }

  /** Removes what is of no use any more. */
  sweep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.clock() - KEPT_MS)
  }

  readonly #mailOf = (notice: MissedCallNotice): Mail => {
    const { callId, userId, email, language, name, caller, calledAtMs } = notice
    const { publicUrl, unsubscribePath } = this.#parts
    const { hostname, protocol } = new URL(publicUrl())
    const at = (path: string) => `${publicUrl()}${path}`
    const values = { name, caller, calledAtMs, link: at(`/calls/${callId}`), settings: at('/settings') }
    return {
      to: email,
      messageId: `<missed-call.${callId}.${userId}@${hostname}>`,
      ...(protocol === 'https:' && { unsubscribeUrl: at(unsubscribePath(userId)) }),
      ...missedCallMail(language ?? this.#parts.language, values),
    }
  }
}
