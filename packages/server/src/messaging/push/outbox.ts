import type { Logger } from 'pino'
import type { MessageStored } from '../../domain-events.ts'
import type { Clock } from '../../platform/clock.ts'
import type { PushOutboxStore } from '../stores/push-outbox.ts'
import { OutboxRetries } from './outbox-retries.ts'
import type { DescribeMessage, OutboxMessage } from './ports.ts'

export interface OutboxParts {
  outbox: PushOutboxStore
  describeMessage: DescribeMessage
  /** [Push] TTL in milliseconds. */
  ttlMs: number
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** A process that has not stored the notifications of a message by then has died, or its store failed. */
const ABANDONED_AFTER_MS = 5_000
const RECOVERED_AT_ONCE = 200
const REMOVED_AT_ONCE = 1_000

/**
 * Loses no notification of a stored message to a crash: what was stored without its notifications is handled later, by
 * whichever process comes first (docs/push.md#sending).
 */
export class PushOutbox {
  readonly #parts: OutboxParts
  readonly #notify: (event: MessageStored) => Promise<void>
  readonly #underWay = new Set<number>()
  readonly #retries: OutboxRetries<number>
  #done: number[] = []

  constructor(parts: OutboxParts, notify: (event: MessageStored) => Promise<void>) {
    this.#parts = parts
    this.#notify = notify
    this.#retries = new OutboxRetries(parts)
  }

  /** Resolves when the notifications of the message are stored. */
  onMessage(event: MessageStored): Promise<void> {
    return this.#handle(Number(event.message.id), async () => {
      await this.#notify(event)
      return true
    })
  }

  /** Removes what is done, and handles what was abandoned. MUST be called about every second, and at the end. */
  async tick(): Promise<void> {
    await this.#removeDone()
    const { outbox, clock } = this.#parts
    const all = await outbox.list(clock() - ABANDONED_AFTER_MS, RECOVERED_AT_ONCE + this.#retries.waiting)
    this.#retries.retain(all.map(({ messageId }) => messageId))
    for (const message of all) if (!this.#underWay.has(message.messageId)) await this.#recover(message)
    await this.#removeDone()
  }

  #recover({ messageId, chatId, sentAtMs }: OutboxMessage): Promise<void> {
    const { describeMessage, ttlMs, clock } = this.#parts
    const isWorthIt = chatId !== null && clock() < (sentAtMs ?? 0) + ttlMs
    const notify = async () => {
      const event = isWorthIt ? await describeMessage(chatId, messageId) : null
      if (event) await this.#notify(event)
    }
    return this.#handle(messageId, () => this.#retries.attempt(messageId, notify))
  }

  /** `notify` resolves to whether the message needs nothing more. */
  async #handle(id: number, notify: () => Promise<boolean>): Promise<void> {
    this.#underWay.add(id)
    try {
      if (await notify()) this.#done.push(id)
    } finally {
      this.#underWay.delete(id)
    }
  }

  async #removeDone(): Promise<void> {
    while (this.#done.length > 0) {
      const ids = this.#done.slice(0, REMOVED_AT_ONCE)
      await this.#parts.outbox.remove(ids)
      this.#done = this.#done.slice(ids.length)
    }
  }
}
