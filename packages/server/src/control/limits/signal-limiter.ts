import type { ClientSignalName } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import type { Clock } from '../../clock.ts'
import { RateLimiter } from '../../rate-limiter.ts'
import type { AccountBudget } from './account-budgets.ts'
import {
  INK_BURST_SECONDS,
  INK_DELIVERIES_PER_SECOND,
  INKS_PER_SECOND,
  POINTER_BURST_SECONDS,
  POINTER_DELIVERIES_PER_SECOND,
  POINTERS_PER_SECOND,
  REACTIONS_BURST_SECONDS,
  REACTIONS_PER_MINUTE,
} from './constants.ts'

interface Sender {
  user: Pick<User, 'id' | 'kind'>
  receivers: number
  sessionId: number
}

/**
 * How often clients may send signals (rules N4, N6, N7 and BOARD-14). The rates belong to the account. Pointers do not use up
 * the budget of notifications: otherwise a presenter who points could not moderate any more.
 */
export class SignalLimiter {
  readonly #notifications: AccountBudget
  readonly #pointers: RateLimiter<number>
  readonly #deliveries: RateLimiter<number>
  readonly #reactions: RateLimiter<number>
  readonly #inks: RateLimiter<number>
  readonly #inkDeliveries: RateLimiter<number>

  constructor(clock: Clock, notifications: AccountBudget) {
    const minute = 60
    this.#notifications = notifications
    this.#pointers = new RateLimiter(clock, POINTERS_PER_SECOND * minute, POINTER_BURST_SECONDS)
    this.#deliveries = new RateLimiter(clock, POINTER_DELIVERIES_PER_SECOND * minute, POINTER_BURST_SECONDS)
    this.#inks = new RateLimiter(clock, INKS_PER_SECOND * minute, INK_BURST_SECONDS)
    this.#inkDeliveries = new RateLimiter(clock, INK_DELIVERIES_PER_SECOND * minute, INK_BURST_SECONDS)
    this.#reactions = new RateLimiter(clock, REACTIONS_PER_MINUTE, REACTIONS_BURST_SECONDS)
  }

  /** False: the signal is dropped. */
  take(name: ClientSignalName, { user, receivers, sessionId }: Sender): boolean {
    if (name === 'board.ink')
      return this.#inks.take(user.id, 1) === 0 && this.#inkDeliveries.take(sessionId, receivers) === 0
    if (name === 'screen.pointer' || name === 'board.pointer')
      return this.#pointers.take(user.id, 1) === 0 && this.#deliveries.take(user.id, receivers) === 0
    if (name === 'reaction.shown' && this.#reactions.take(user.id, 1) > 0) return false
    return this.#notifications.take(user, receivers) === null
  }
}
