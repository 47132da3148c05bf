import { Refusal } from '@lectern/protocol'
import type { ControlError } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../clock.ts'
import { RateLimiter, TokenBucket } from '../../rate-limiter.ts'
import { controlError } from '../refusals.ts'
import {
  ACCOUNT_FRAMES_FACTOR,
  ANSWERS_BURST_SECONDS,
  FRAMES_BURST_SECONDS,
  NOTIFICATIONS_BURST_SECONDS,
  WORKER_FACTOR,
} from './constants.ts'

type Account = Pick<User, 'id' | 'kind'>

/**
 * A rate that belongs to the account, so that neither more connections nor new ones give more. A worker's account does the
 * jobs of many sessions and has a multiple. Null: no limit.
 */
class AccountRate {
  readonly #people: RateLimiter<number>
  readonly #workers: RateLimiter<number>

  constructor(clock: Clock, perMinute: number | null, burstSeconds: number) {
    this.#people = new RateLimiter(clock, perMinute, burstSeconds)
    this.#workers = new RateLimiter(clock, perMinute && perMinute * WORKER_FACTOR, burstSeconds)
  }

  /** 0 when it is granted, otherwise the milliseconds after which it may be. */
  take({ id, kind }: Account, cost: number): number {
    return this.#of(kind).take(id, cost)
  }

  /** Without asking; it may leave a debt. */
  charge({ id, kind }: Account, cost: number): void {
    this.#of(kind).charge(id, cost)
  }

  #of = (kind: User['kind']) => (kind === 'worker' ? this.#workers : this.#people)
}

/** How many bytes the answers to an account may have: results, snapshots and replayed events (rule K13). */
export class AnswerBudget {
  readonly #rate: AccountRate

  constructor(clock: Clock, bytesPerMinute: number | null) {
    this.#rate = new AccountRate(clock, bytesPerMinute, ANSWERS_BURST_SECONDS)
  }

  /** Pays for an answer before it is made; otherwise why there is none. */
  take(receiver: Account, bytes: number): ControlError | null {
    const retryAfterMs = this.#rate.take(receiver, bytes)
    if (retryAfterMs === 0) return null
    return controlError(new Refusal('too_many_answers', undefined, { retryAfterMs }))
  }

  /** The rest, when an answer turned out to be larger than what was paid. */
  charge(receiver: Account, bytes: number): void {
    if (bytes > 0) this.#rate.charge(receiver, bytes)
  }
}

/**
 * How many notifications an account may cause: an event or signal counts once for everybody who receives it (rule
 * K18). Workers act for the server.
 */
export class NotificationBudget {
  readonly #rate: AccountRate

  constructor(clock: Clock, perMinute: number | null) {
    this.#rate = new AccountRate(clock, perMinute, NOTIFICATIONS_BURST_SECONDS)
  }

  /** Pays before they are sent; otherwise why they cannot be. For none: whether the account is in debt. */
  take(sender: Account, receivers: number): Refusal | null {
    const retryAfterMs = sender.kind === 'worker' ? 0 : this.#rate.take(sender, receivers)
    if (retryAfterMs === 0) return null
    return new Refusal('too_many_notifications', undefined, { retryAfterMs })
  }

  /** For what is not refused, such as leaving; it may leave a debt. */
  charge(sender: Account, receivers: number): void {
    if (sender.kind !== 'worker') this.#rate.charge(sender, receivers)
  }
}

/** How many frames sockets and accounts may send (rule W8). The share of an account is that of several devices. */
export class FrameLimiter {
  readonly #clock: Clock
  readonly #perMinute: number | null
  readonly #accounts: AccountRate

  constructor(clock: Clock, perMinute: number | null) {
    this.#clock = clock
    this.#perMinute = perMinute
    this.#accounts = new AccountRate(
      clock,
      perMinute && perMinute * ACCOUNT_FRAMES_FACTOR,
      FRAMES_BURST_SECONDS,
    )
  }

  /** For a socket that has just been opened. */
  createBudget(): FrameBudget {
    return new FrameBudget(
      new TokenBucket(this.#clock, this.#perMinute, FRAMES_BURST_SECONDS),
      this.#accounts,
    )
  }
}

/** What one socket may send: its own share, and from the login on that of its account too. */
export class FrameBudget {
  readonly #ofSocket: TokenBucket
  readonly #accounts: AccountRate
  #sender: Account | null = null

  constructor(ofSocket: TokenBucket, accounts: AccountRate) {
    this.#ofSocket = ofSocket
    this.#accounts = accounts
  }

  /** The login counts as a frame of the account. False: the account has none left. */
  logIn(sender: Account): boolean {
    this.#sender = sender
    return this.#accounts.take(sender, 1) === 0
  }

  /** False when there is not enough. */
  spend(cost: number): boolean {
    return this.#ofSocket.spend(cost) && (!this.#sender || this.#accounts.take(this.#sender, cost) === 0)
  }
}
