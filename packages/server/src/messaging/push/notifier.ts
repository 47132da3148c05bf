import { KeyedMutex } from '@lectern/common'
import type { CallRinging, MessageStored, RingingStopped } from '../../domain-events.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PushDeliveryStore } from '../stores/push-deliveries.ts'
import type { PushSubscriptionStore } from '../stores/push-subscriptions.ts'
import {
  callEndedNotification,
  callNotification,
  messageNotification,
  messageOf,
  type Notification,
} from './notifications.ts'
import type { CallNow, DescribeMessage, NewPush, Presence, PushDelivery, PushPayload } from './ports.ts'
import { RecentEvents } from './recent-events.ts'
import { pushTexts } from './texts.ts'

export interface NotifierParts {
  subscriptions: PushSubscriptionStore
  deliveries: PushDeliveryStore
  presence: Presence
  providers: readonly string[]
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  describeMessage: DescribeMessage
  describeCall: (callId: number) => Promise<CallNow | null>
  clock: Clock
}

/** Twenty subscriptions with ten topics each; older hints are worth nothing. */
const MAX_PENDING_PER_ACCOUNT = 200
/** A call that was answered elsewhere is of no interest later. */
const WITHDRAWN_TTL_MS = 60_000

/** Chooses the receivers of notifications (docs/push.md#triggers), and stores them in the queue. */
export class PushNotifier {
  readonly #parts: NotifierParts
  /** By topic: what happens to a call or in a conversation takes effect in that order. */
  readonly #order = new KeyedMutex()
  /** Rule PUSH-21. */
  readonly #recent: RecentEvents

  constructor(parts: NotifierParts) {
    this.#parts = parts
    this.#recent = new RecentEvents(parts.clock)
  }

  /** Rule PUSH-21: a device of the account, here or on another server, was silent until its time was over. */
  onVanished(userId: number): void {
    this.#recent.vanished(userId)
  }

  /** Rule PUSH-21: the account has no connection any more, or no visible page. */
  onAbsent(userId: number): Promise<void> {
    return this.#recent.decideAgain(userId)
  }

  /** MUST be called about every minute. */
  sweep(): void {
    this.#recent.sweep()
  }

  /** Rule PUSH-10. */
  onCall({ call, userIds }: CallRinging): Promise<void> {
    const { presence } = this.#parts
    return this.#order.run(`call:${call.id}`, async () => {
      const absent = userIds.filter(id => !presence.hasConnection(id))
      this.#decideCallAgain(call.id, userIds)
      await this.#notify(absent, callNotification({ call }))
    })
  }

  /** Rule PUSH-10: what was notified is replaced by what became of the call. */
  onRingingStopped({ call, people }: RingingStopped): Promise<void> {
    const { deliveries, clock, ttlMs } = this.#parts
    return this.#order.run(`call:${call.id}`, async () => {
      const missed = people.filter(({ reason }) => reason === 'missed')
      this.#decideCallAgain(
        call.id,
        missed.map(({ userId }) => userId),
      )
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
    const others = recipients.filter(({ userId, isMuted }) => !isMuted && userId !== message.userId)
    const absent = others.filter(({ userId }) => !presence.hasVisibleConnection(userId))
    const present = others.filter(({ userId }) => presence.hasVisibleConnection(userId))
    this.#recent.add(
      present.map(({ userId }) => userId),
      `chat:${chat.id}`,
      userId => this.#decideMessageAgain(chat.id, Number(message.id), userId),
    )
    for (const isRequest of [false, true]) {
      const ids = absent.filter(each => (each.isRequest ?? false) === isRequest).map(({ userId }) => userId)
      await this.#notify(ids, messageNotification({ message, chat }, { isRequest, expiresAtMs }))
    }
  }

  /** Rule PUSH-22: what a notification says when it is sent, in that language; null: nothing any more. */
  async contentNow(delivery: PushDelivery, language: string | null): Promise<PushPayload | null> {
    const { clientId, expiresAtMs, payload } = delivery
    const message = messageOf(delivery)
    if (!message) return payload
    const now = await this.#parts.describeMessage(message.chatId, message.messageId, clientId)
    const recipient = now?.recipients.find(({ userId }) => userId === clientId)
    if (!now || !recipient || recipient.isMuted) return null
    const { isRequest = false } = recipient
    return messageNotification(now, { isRequest, expiresAtMs }).payload(pushTexts(language))
  }

  async #decideMessageAgain(chatId: string, messageId: number, userId: number): Promise<void> {
    const now = await this.#parts.describeMessage(chatId, messageId, userId)
    const recipients = now?.recipients.filter(each => each.userId === userId) ?? []
    if (now && recipients.length > 0) await this.onMessage({ ...now, recipients })
  }

  #decideCallAgain(callId: string, userIds: readonly number[]): void {
    const { presence, describeCall } = this.#parts
    const present = userIds.filter(id => presence.hasConnection(id))
    this.#recent.add(present, `call:${callId}`, async userId => {
      const now = await describeCall(Number(callId))
      if (!now) return
      const ringing = now.ringing.filter(id => id === userId)
      const stopped = now.stopped.filter(each => each.userId === userId && each.reason === 'missed')
      if (ringing.length + stopped.length > 0) await this.onCallRecovered({ ...now, ringing, stopped })
    })
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
