import type { Clock } from '../clock.ts'
import type { CallRinging, MessageStored } from '../domain-events.ts'
import { callNotification, callTopic, messageNotification, type Notification } from './notifications.ts'
import type { NewPush, Presence, PushDeliveryStore, PushProvider, PushSubscriptionStore } from './ports.ts'
import { pushTexts } from './texts.ts'

export interface NotifierParts {
  subscriptions: PushSubscriptionStore
  deliveries: PushDeliveryStore
  presence: Presence
  providers: readonly PushProvider[]
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  clock: Clock
}

/** Twenty subscriptions with ten topics each; older hints are worth nothing. */
const MAX_PENDING_PER_ACCOUNT = 200

/** Decides who is notified of what (docs/push.md#triggers), and stores it in the queue. */
export class PushNotifier {
  readonly #parts: NotifierParts

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  /** Rule PUSH-10. */
  async onCall({ call, userIds }: CallRinging): Promise<void> {
    const { presence } = this.#parts
    const absent = await filterAsync(userIds, async id => !(await presence.hasConnection(id)))
    await this.#notify(absent, callNotification({ call }))
  }

  /** Rules PUSH-11 to PUSH-13. */
  async onMessage({ message, chat, recipients }: MessageStored): Promise<void> {
    const { presence, clock, ttlMs } = this.#parts
    const expiresAtMs = clock() + ttlMs
    const isPresent = (userId: number) =>
      chat.kind === 'direct' ? presence.hasVisibleConnection(userId) : presence.hasConnection(userId)
    const absent = await filterAsync(
      recipients.filter(({ isMuted }) => !isMuted),
      async ({ userId }) => userId !== message.userId && !(await isPresent(userId)),
    )
    for (const isRequest of [false, true]) {
      const ids = absent.filter(each => (each.isRequest ?? false) === isRequest).map(({ userId }) => userId)
      await this.#notify(ids, messageNotification({ message, chat }, { isRequest, expiresAtMs }))
    }
  }

  /** What is pending for them is not worth an attempt any more. */
  onRingingStopped({ callId, userIds }: { callId: string; userIds: number[] }): Promise<void> {
    return this.#parts.deliveries.cancel(callTopic(callId), userIds)
  }

  /** Resolves when the notification is stored for every subscription. */
  async #notify(userIds: number[], { topic, expiresAtMs, payload }: Notification): Promise<void> {
    if (userIds.length === 0) return
    const { subscriptions, deliveries, providers, clock } = this.#parts
    const receivers = await subscriptions.receiversOf(userIds, providers, clock())
    if (receivers.length === 0) return
    const pushes = receivers.map(
      ({ clientId, endpoint, language }): NewPush => ({
        clientId,
        endpoint,
        topic,
        expiresAtMs,
        payload: payload(pushTexts(language)),
      }),
    )
    await deliveries.add(pushes, { nowMs: clock(), maxPerAccount: MAX_PENDING_PER_ACCOUNT })
  }
}

async function filterAsync<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.all(items.map(holds))
  return items.filter((_, index) => results[index])
}
