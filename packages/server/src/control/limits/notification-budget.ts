import { Refusal } from '@lectern/protocol'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../clock.ts'
import { RateLimiter } from '../../rate-limiter.ts'
import { NOTIFICATIONS_BURST_SECONDS } from './constants.ts'

type Account = Pick<User, 'id' | 'kind'>

/**
 * How many notifications an account may cause: an event or signal counts once for everybody who receives it (rule
 * K18). Belongs to the account, so that neither more connections nor new ones give more. Workers act for the server.
 */
export class NotificationBudget {
  readonly #accounts: RateLimiter<number>

  constructor(clock: Clock, perMinute: number | null) {
    this.#accounts = new RateLimiter(clock, perMinute, NOTIFICATIONS_BURST_SECONDS)
  }

  /** Pays before they are sent; otherwise why they cannot be. For none: whether the account is in debt. */
  take({ id, kind }: Account, receivers: number): Refusal | null {
    const retryAfterMs = kind === 'worker' ? 0 : this.#accounts.take(id, receivers)
    if (retryAfterMs === 0) return null
    return new Refusal('too_many_notifications', undefined, { retryAfterMs })
  }

  /** For what is not refused, such as leaving; it may leave a debt. */
  charge({ id, kind }: Account, receivers: number): void {
    if (kind !== 'worker') this.#accounts.charge(id, receivers)
  }
}
