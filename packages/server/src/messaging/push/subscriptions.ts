import { ensure, Refusal } from '@lectern/protocol'
import { MAX_PUSH_SUBSCRIPTIONS, type PushSubscriptionUpdate } from '@lectern/protocol/control'
import type { User } from '../../accounts/ports.ts'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import { ensureTargetAllowed } from '../../platform/delivery/target.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import type { PushSubscriptionStore } from '../stores/push-subscriptions.ts'
import { parseSubscriptionRequest } from './subscription-request.ts'

export interface PushSubscriptionsParts {
  store: PushSubscriptionStore
  isEnabled: boolean
  allowInsecure: boolean
  clock: Clock
}

/** Pages update at every start and change of the permission; each update may resolve a name and writes. */
const UPDATES_PER_MINUTE = 30
const BURST_SECONDS = 60

type UpdateStatus = 'stored' | 'removed' | 'noted'

/** The push subscriptions of accounts (docs/push.md). */
export class PushSubscriptions {
  readonly #parts: PushSubscriptionsParts
  readonly #limiter: RateLimiter<number>

  constructor(parts: PushSubscriptionsParts) {
    this.#parts = parts
    this.#limiter = new RateLimiter(parts.clock, UPDATES_PER_MINUTE, BURST_SECONDS, 'too_many_commands')
  }

  /** Executes a `push_subscription_update` of a connection with that sign-in. Throws a Refusal. */
  async update(user: User, authSessionId: string, body: PushSubscriptionUpdate): Promise<UpdateStatus> {
    const { store, isEnabled, allowInsecure, clock } = this.#parts
    ensure(user.kind === 'ordinary', 'permission_denied', 'Only accounts of people get notifications.')
    this.#limiter.enforce(user.id)
    const request = parseSubscriptionRequest(body)
    if (request.is === 'note') return 'noted'
    if (request.is === 'remove') return (await store.remove(user.id, request.endpoint)) ? 'removed' : 'noted'
    if (!isEnabled) throw new Refusal('push_disabled')
    const { subscription, replaces } = request
    if (subscription.provider === 'webpush')
      await ensureTargetAllowed(subscription.endpoint, allowInsecure, 'endpoint')
    await store.save(
      { ...subscription, clientId: user.id, updatedAt: unixSeconds(clock) },
      { authSessionId, replaces, max: MAX_PUSH_SUBSCRIPTIONS },
    )
    return 'stored'
  }
}
