import { Refusal } from '@lectern/protocol'
import type { ControlError } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../clock.ts'
import { RateLimiter } from '../../rate-limiter.ts'
import { controlError } from '../refusals.ts'
import { ANSWERS_BURST_SECONDS, WORKER_FACTOR } from './constants.ts'

type Account = Pick<User, 'id' | 'kind'>

/**
 * How many bytes the answers to an account may have: results, snapshots and replayed events (rule K13). Belongs to
 * the account, so that neither more connections nor new ones give more.
 */
export class AnswerBudget {
  readonly #people: RateLimiter<number>
  readonly #workers: RateLimiter<number>

  constructor(clock: Clock, bytesPerMinute: number | null) {
    const workers = bytesPerMinute === null ? null : bytesPerMinute * WORKER_FACTOR
    this.#people = new RateLimiter(clock, bytesPerMinute, ANSWERS_BURST_SECONDS)
    this.#workers = new RateLimiter(clock, workers, ANSWERS_BURST_SECONDS)
  }

  /** Pays for an answer before it is made; otherwise why there is none. */
  take(receiver: Account, bytes: number): ControlError | null {
    const waitMs = this.#of(receiver).take(receiver.id, bytes)
    if (waitMs === 0) return null
    return controlError(new Refusal('too_many_answers', undefined, { retryAfterMs: waitMs }))
  }

  /** The rest, when an answer turned out to be larger than what was paid. */
  charge(receiver: Account, bytes: number): void {
    if (bytes > 0) this.#of(receiver).charge(receiver.id, bytes)
  }

  #of = ({ kind }: Account) => (kind === 'worker' ? this.#workers : this.#people)
}
