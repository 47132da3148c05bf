import { KeyedMutex } from '@lectern/common'
import type { Clock } from '../clock.ts'
import type { CallRinging, MessageStored, RingingStopped } from '../domain-events.ts'
import {
  callEndedNotification,
  callNotification,
  messageNotification,
  type Notification,
} from './notifications.ts'
import type { CallNow, NewPush, Presence, PushDeliveryStore, PushSubscriptionStore } from './ports.ts'
import { pushTexts } from './texts.ts'

export interface NotifierParts {
  subscriptions: PushSubscriptionStore
  deliveries: PushDeliveryStore
  presence: Presence
  providers: readonly string[]
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  clock: Clock
}

/** Twenty subscriptions with ten topics each; older hints are worth nothing. */
const MAX_PENDING_PER_ACCOUNT = 200
/** That somebody has answered elsewhere is of no interest later. */
const WITHDRAWN_TTL_MS = 60_000

/** Decides who is notified of what (docs/push.md#triggers), and stores it in the queue. */
export class PushNotifier {
  readonly #parts: NotifierParts
  /** By topic: what happens to a call or in a conversation takes effect in that order. */
  readonly #order = new KeyedMutex()

  constructor(parts: NotifierParts) {
    this.#parts = parts
  }

  /** Rule PUSH-10. */
  onCall({ call, userIds }: CallRinging): Promise<void> {
    const { presence } = this.#parts
    return this.#order.run(`call:${call.id}`, async () => {
      const absent = userIds.filter(id => !presence.hasConnection(id))
      await this.#notify(absent, callNotification({ call }))
    })
  }

  /** Rule PUSH-10: what was notified is replaced by what became of the call. */
  onRingingStopped({ call, people }: RingingStopped): Promise<void> {
    const { deliveries, clock, ttlMs } = this.#parts
    return this.#order.run(`call:${call.id}`, async () => {
      for (const reason of new Set(people.map(each => each.reason))) {
        const userIds = people.filter(each => each.reason === reason).map(({ userId }) => userId)
        const isMissed = reason === 'missed'
        const expiresAtMs = clock() + (isMissed ? ttlMs : WITHDRAWN_TTL_MS)
        const notification = callEndedNotification(call, reason, expiresAtMs)
        const pushes = await this.#pushesFor(userIds, notification)
        const options = { nowMs: clock(), includesUnsent: isMissed }
        await deliveries.replace(notification.topic, userIds, pushes, options)
      }
    })
  }

  /** Rule PUSH-10, when nobody knows what was notified before a crash. */
  async onCallRecovered({ call, ringing, stopped }: CallNow): Promise<void> {
    const { presence, clock, ttlMs } = this.#parts
    await this.onCall({ call, userIds: ringing })
    await this.onRingingStopped({ call, people: stopped })
    const missed = stopped.filter(({ reason }) => reason === 'missed').map(({ userId }) => userId)
    const absent = missed.filter(id => !presence.hasConnection(id))
    await this.#order.run(`call:${call.id}`, () =>
      this.#notify(absent, callEndedNotification(call, 'missed', clock() + ttlMs)),
    )
  }

  /** Rules PUSH-11 to PUSH-13. */
  onMessage(event: MessageStored): Promise<void> {
    return this.#order.run(`chat:${event.chat.id}`, () => this.#onMessage(event))
  }

  async #onMessage({ message, chat, recipients }: MessageStored): Promise<void> {
    const { presence, clock, ttlMs } = this.#parts
    const expiresAtMs = clock() + ttlMs
    const isPresent = (userId: number) =>
      chat.kind === 'direct' ? presence.hasVisibleConnection(userId) : presence.hasConnection(userId)
    const absent = recipients.filter(
      ({ userId, isMuted }) => !isMuted && userId !== message.userId && !isPresent(userId),
    )
    for (const isRequest of [false, true]) {
      const ids = absent.filter(each => (each.isRequest ?? false) === isRequest).map(({ userId }) => userId)
      await this.#notify(ids, messageNotification({ message, chat }, { isRequest, expiresAtMs }))
    }
  }

  /** Resolves when the notification is stored for every subscription. */
  async #notify(userIds: number[], notification: Notification): Promise<void> {
    if (userIds.length === 0) return
    const { deliveries, clock } = this.#parts
    const pushes = await this.#pushesFor(userIds, notification)
    await deliveries.add(pushes, { nowMs: clock(), maxPerAccount: MAX_PENDING_PER_ACCOUNT })
  }

  /** One for each subscription of these people. */
  async #pushesFor(userIds: number[], { topic, expiresAtMs, payload }: Notification): Promise<NewPush[]> {
    const { subscriptions, providers, clock } = this.#parts
    const receivers = await subscriptions.receiversOf(userIds, providers, clock())
    return receivers.map(
      ({ clientId, endpoint, language }): NewPush => ({
        clientId,
        endpoint,
        topic,
        expiresAtMs,
        payload: payload(pushTexts(language)),
      }),
    )
  }
}
