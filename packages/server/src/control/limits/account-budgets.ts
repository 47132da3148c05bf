import type { ErrorCode, Refusal } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import { RateLimiter, TokenBucket } from '../../platform/rate-limiter.ts'
import {
  ACCOUNT_FRAMES_FACTOR,
  ANSWERS_BURST_SECONDS,
  FRAMES_BURST_SECONDS,
  NOTIFICATIONS_BURST_SECONDS,
  WORKER_FACTOR,
} from './constants.ts'

type Account = Pick<User, 'id' | 'kind'>

interface Budget {
  /** The limit of a person; null: none. */
  perMinute: number | null
  burstSeconds: number
  /** How many times as much the account of a worker has; null: no limit. */
  workerFactor: number | null
  /** The code of refusals. */
  code?: ErrorCode
}

/** The budget of an account, which neither more connections nor new ones increase. */
export class AccountBudget {
  readonly #people: RateLimiter<number>
  readonly #workers: RateLimiter<number>

  constructor(clock: Clock, { perMinute, burstSeconds, workerFactor, code }: Budget) {
    this.#people = new RateLimiter(clock, perMinute, burstSeconds, code)
    this.#workers = new RateLimiter(
      clock,
      perMinute && workerFactor && perMinute * workerFactor,
      burstSeconds,
      code,
    )
  }

  /** Pays in advance; otherwise why it is refused. For nothing: whether the account is in debt. */
  take({ id, kind }: Account, cost: number): Refusal | null {
    return this.#of(kind).refuse(id, cost)
  }

  /**
   * Charges costs that are known only afterwards, and those of what is not refused, such as leaving; this may leave a
   * debt.
   */
  charge({ id, kind }: Account, cost: number): void {
    if (cost > 0) this.#of(kind).charge(id, cost)
  }

  #of = (kind: User['kind']) => (kind === 'worker' ? this.#workers : this.#people)
}

/** How many bytes the answers to an account may have: results, snapshots and replayed events (rule K13). */
export const answerBudget = (clock: Clock, bytesPerMinute: number | null) =>
  new AccountBudget(clock, {
    perMinute: bytesPerMinute,
    burstSeconds: ANSWERS_BURST_SECONDS,
    workerFactor: WORKER_FACTOR,
    code: 'too_many_answers',
  })

/**
 * How many notifications an account may cause: an event or signal counts once for everybody who receives it (rule
 * K18). Workers act for the server.
 */
export const notificationBudget = (clock: Clock, perMinute: number | null) =>
  new AccountBudget(clock, {
    perMinute,
    burstSeconds: NOTIFICATIONS_BURST_SECONDS,
    workerFactor: null,
    code: 'too_many_notifications',
  })

/** How many frames sockets and accounts may send (rule W8). An account has the share of several devices. */
export class FrameLimiter {
  readonly #clock: Clock
  readonly #perMinute: number | null
  readonly #accounts: AccountBudget

  constructor(clock: Clock, perMinute: number | null) {
    this.#clock = clock
    this.#perMinute = perMinute
    this.#accounts = new AccountBudget(clock, {
      perMinute: perMinute && perMinute * ACCOUNT_FRAMES_FACTOR,
      burstSeconds: FRAMES_BURST_SECONDS,
      workerFactor: WORKER_FACTOR,
    })
  }

  /** For a socket that has just been opened. */
  createBudget(): FrameBudget {
    return new FrameBudget(
      new TokenBucket(this.#clock, this.#perMinute, FRAMES_BURST_SECONDS),
      this.#accounts,
    )
  }
}

/** The budget of one socket: its own share, and after the login also the share of its account. */
export class FrameBudget {
  readonly #ofSocket: TokenBucket
  readonly #accounts: AccountBudget
  #sender: Account | null = null

  constructor(ofSocket: TokenBucket, accounts: AccountBudget) {
    this.#ofSocket = ofSocket
    this.#accounts = accounts
  }

  /** The login counts as a frame of the account. False: the account has none left. */
  logIn(sender: Account): boolean {
    this.#sender = sender
    return this.#accounts.take(sender, 1) === null
  }

  /** False when there is not enough. */
  spend(cost: number): boolean {
    return this.#ofSocket.spend(cost) && (!this.#sender || this.#accounts.take(this.#sender, cost) === null)
  }
}
