import type { Logger } from 'pino'
import type { CallRinging, RingingStopped } from '../../domain-events.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PushCallOutboxStore } from '../stores/push-call-outbox.ts'
import type { PushNotifier } from './notifier.ts'
import { OutboxRetries } from './outbox-retries.ts'
import type { CallChange, CallNow } from './ports.ts'

export interface CallOutboxParts {
  callOutbox: PushCallOutboxStore
  describeCall: (callId: number) => Promise<CallNow | null>
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** A change that is still there after this time belongs to a process that has died, or whose store failed. */
const ABANDONED_AFTER_MS = 5_000
const READ_AT_ONCE = 200

type CallEvents = Pick<PushNotifier, 'onCall' | 'onRingingStopped' | 'onCallRecovered'>

/**
 * Loses no notification of a call to a crash: a change that was stored without its notifications is handled later, by
 * whichever process comes first, as what is true of the call then (docs/push.md#sending).
 */
export class PushCallOutbox {
  readonly #parts: CallOutboxParts
  readonly #notifier: CallEvents
  readonly #underWay = new Set<string>()
  readonly #retries: OutboxRetries<string>
  /** When changes of other processes were first seen; clocks of other servers do not matter. */
  #seen = new Map<string, number>()
  #done: CallChange[] = []

  constructor(parts: CallOutboxParts, notifier: CallEvents) {
    this.#parts = parts
    this.#notifier = notifier
    this.#retries = new OutboxRetries(parts)
  }

  /** Resolves when the notifications are stored. */
  onCall(event: CallRinging): Promise<void> {
    return this.#handle(event.call, () => this.#notifier.onCall(event))
  }

  /** Resolves when the notifications are stored. */
  onRingingStopped(event: RingingStopped): Promise<void> {
    return this.#handle(event.call, () => this.#notifier.onRingingStopped(event))
  }

  /** Removes what is done, and handles what was abandoned. MUST be called about every second, and at the end. */
  async tick(): Promise<void> {
    await this.#removeDone()
    const { callOutbox, clock } = this.#parts
    const nowMs = clock()
    const present = await callOutbox.list(READ_AT_ONCE + this.#retries.waiting)
    this.#retries.retain(present.map(keyOf))
    this.#seen = new Map(present.map(change => [keyOf(change), this.#seen.get(keyOf(change)) ?? nowMs]))
    for (const change of present) {
      const seenMs = this.#seen.get(keyOf(change)) ?? nowMs
      if (nowMs - seenMs >= ABANDONED_AFTER_MS && !this.#underWay.has(keyOf(change)))
        await this.#recover(change)
    }
    await this.#removeDone()
  }

  async #handle({ id, revision }: CallRinging['call'] | RingingStopped['call'], notify: () => Promise<void>) {
    const change = { callId: Number(id), revision }
    this.#underWay.add(keyOf(change))
    try {
      await notify()
      this.#done.push(change)
    } finally {
      this.#underWay.delete(keyOf(change))
    }
  }

  async #recover(change: CallChange): Promise<void> {
    const { describeCall, ttlMs, clock } = this.#parts
    const isDone = await this.#retries.attempt(keyOf(change), async () => {
      const now = await describeCall(change.callId)
      if (now && clock() < now.call.ringsUntilMs + ttlMs) await this.#notifier.onCallRecovered(now)
    })
    if (isDone) this.#done.push(change)
  }

  async #removeDone(): Promise<void> {
    const done = this.#done.slice(0, READ_AT_ONCE)
    await this.#parts.callOutbox.remove(done)
    this.#done = this.#done.slice(done.length)
  }
}

const keyOf = ({ callId, revision }: CallChange) => `${callId} ${revision}`
