import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../clock.ts'
import { RateLimiter, TokenBucket } from '../../rate-limiter.ts'
import { ACCOUNT_FRAMES_FACTOR, FRAMES_BURST_SECONDS, WORKER_FACTOR } from './constants.ts'

type Account = Pick<User, 'id' | 'kind'>

/**
 * How many frames sockets and accounts may send (rule W8). The share of an account is that of several devices, and
 * belongs to the account, so that a new connection does not renew it.
 */
export class FrameLimiter {
  readonly #clock: Clock
  readonly #perMinute: number | null
  readonly #people: RateLimiter<number>
  readonly #workers: RateLimiter<number>

  constructor(clock: Clock, perMinute: number | null) {
    const ofAccount = perMinute === null ? null : perMinute * ACCOUNT_FRAMES_FACTOR
    const ofWorker = ofAccount === null ? null : ofAccount * WORKER_FACTOR
    this.#clock = clock
    this.#perMinute = perMinute
    this.#people = new RateLimiter(clock, ofAccount, FRAMES_BURST_SECONDS)
    this.#workers = new RateLimiter(clock, ofWorker, FRAMES_BURST_SECONDS)
  }

  /** For a socket that has just been opened. */
  createBudget(): FrameBudget {
    const ofSocket = new TokenBucket(this.#clock, this.#perMinute, FRAMES_BURST_SECONDS)
    return new FrameBudget(ofSocket, ({ id, kind }, cost) => {
      const accounts = kind === 'worker' ? this.#workers : this.#people
      return accounts.take(id, cost) === 0
    })
  }
}

/** What one socket may send: its own share, and from the login on that of its account too. */
export class FrameBudget {
  readonly #ofSocket: TokenBucket
  readonly #spendOfAccount: (sender: Account, cost: number) => boolean
  #sender: Account | null = null

  constructor(ofSocket: TokenBucket, spendOfAccount: (sender: Account, cost: number) => boolean) {
    this.#ofSocket = ofSocket
    this.#spendOfAccount = spendOfAccount
  }

  /** The login counts as a frame of the account. False: the account has none left. */
  logIn(sender: Account): boolean {
    this.#sender = sender
    return this.#spendOfAccount(sender, 1)
  }

  /** False when there is not enough. */
  spend(cost: number): boolean {
    return this.#ofSocket.spend(cost) && (!this.#sender || this.#spendOfAccount(this.#sender, cost))
  }
}
