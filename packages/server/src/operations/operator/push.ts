import { randomBytes } from 'node:crypto'
import type { User } from '../../accounts/ports.ts'
import type { UserStore } from '../../accounts/stores/users.ts'
import { testPayload } from '../../messaging/push/notifications.ts'
import type { PushRecord, PushSubscription } from '../../messaging/push/ports.ts'
import type { PushSender } from '../../messaging/push/sender.ts'
import type { PushDeliveryStore } from '../../messaging/stores/push-deliveries.ts'
import type { PushSubscriptionStore } from '../../messaging/stores/push-subscriptions.ts'
import type { Clock } from '../../platform/clock.ts'
import type { AttemptOutcome } from '../../platform/delivery/guarded-post.ts'
import { OperatorError } from './checks.ts'

/** The answer of a push service to a test. */
export interface PushTestResult {
  subscription: PushSubscription
  /**
   * Such as `HTTP 201` or `TIMEOUT`. Nothing was sent for `NO_SENDER`, the provider has no sender, and `ENDED`: the sign-in or
   * the subscription has ended, or there is no permission.
   */
  answer: string
  accepted: boolean
  /** The push service does not know the subscription any more, so it was removed. */
  removed: boolean
}

interface PushAdminServiceOptions {
  users: UserStore
  subscriptions: PushSubscriptionStore
  deliveries: PushDeliveryStore
  /** Null while push is disabled. */
  sender: PushSender | null
  clock: Clock
}

const TEST_TTL_MS = 60_000

/** Tests and lists pushes for the operator. Throws OperatorError. */
export class PushAdminService {
  readonly #parts: PushAdminServiceOptions

  constructor(parts: PushAdminServiceOptions) {
    this.#parts = parts
  }

  /** The newest first. */
  async subscriptions(login: string): Promise<PushSubscription[]> {
    return this.#parts.subscriptions.listOf((await this.#find(login)).id)
  }

  /** Removes the subscription with that number in the list, from 1, or all. Returns what was removed. */
  async remove(login: string, number?: number): Promise<PushSubscription[]> {
    const all = await this.subscriptions(login)
    const chosen = number === undefined ? all : all.slice(number - 1, number)
    if (number !== undefined && chosen.length === 0)
      throw new OperatorError(`${login} has no subscription ${number}.`)
    for (const { clientId, endpoint } of chosen) await this.#parts.subscriptions.remove(clientId, endpoint)
    return chosen
  }

  /** Sends one notification to every subscription of the account now, without the queue. */
  async test(login: string): Promise<PushTestResult[]> {
    const { sender, clock } = this.#parts
    if (!sender) throw new OperatorError('Push is disabled: set [Push] Enabled = 1.')
    const { id, language } = await this.#find(login)
    const now = clock()
    const content = {
      id: `ps_${randomBytes(16).toString('hex')}`,
      topic: 'test',
      payload: testPayload(language),
      expiresAtMs: now + TEST_TTL_MS,
      createdAtMs: now,
    }
    const receivers = await this.#parts.subscriptions.receiversOf([id], sender.providers, now)
    const active = new Set(receivers.map(({ endpoint }) => endpoint))
    const test = async (subscription: PushSubscription): Promise<PushTestResult> => {
      const unsent = { subscription, accepted: false, removed: false }
      if (!sender.providers.includes(subscription.provider)) return { ...unsent, answer: 'NO_SENDER' }
      if (!active.has(subscription.endpoint)) return { ...unsent, answer: 'ENDED' }
      const outcome = await sender.send(subscription, content, new AbortController().signal)
      return this.#resultOf(subscription, outcome)
    }
    return Promise.all((await this.#parts.subscriptions.listOf(id)).map(test))
  }

  /** The longest pending first; `more` says whether others exist. */
  async queue(limit: number): Promise<{ pushes: PushRecord[]; more: boolean }> {
    const found = await this.#parts.deliveries.list(limit + 1)
    return { pushes: found.slice(0, limit), more: found.length > limit }
  }

  async #resultOf(subscription: PushSubscription, outcome: AttemptOutcome): Promise<PushTestResult> {
    if (outcome.is !== 'answered')
      return { subscription, answer: outcome.reason, accepted: false, removed: false }
    const { status } = outcome
    const removed = status === 404 || status === 410
    if (removed) await this.#parts.subscriptions.remove(subscription.clientId, subscription.endpoint)
    return { subscription, answer: `HTTP ${status}`, accepted: status >= 200 && status < 300, removed }
  }

  async #find(login: string): Promise<User> {
    const user = await this.#parts.users.findByLogin(login.toLowerCase())
    if (!user || user.deletedAt !== null)
      throw new OperatorError(`There is no user ${login}.`, 'user_not_found')
    return user
  }
}
