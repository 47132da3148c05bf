import { batched, Mutex } from '@lectern/common'
import type { MessageKey } from '../sessions/ports.ts'
import type { MessagePublisher } from './message-publisher.ts'
import type { AppendResult, Draft } from './ports.ts'
import { decideMessage } from './relations.ts'
import type { MessageStore } from './stores/messages.ts'

interface MessageWriterOptions {
  store: Pick<MessageStore, 'append'>
  publisher: MessagePublisher
  onFailure: (error: unknown) => void
}

type Stored = Extract<AppendResult, { is: 'stored' }>

const BATCH_MAX = 200
/** Messages whose result is not known; the oldest are forgotten. */
const UNCERTAIN_MAX = 1_000

const keyOf = ({ chatId, userId, commandId }: MessageKey) => JSON.stringify([chatId, userId, commandId])

/**
 * Stores all messages of conversations, those that arrive together in one transaction, and publishes each once, in the
 * order of their ids.
 */
export class MessageWriter {
  readonly #parts: MessageWriterOptions
  readonly #mutex = new Mutex()
  /** Stored, but not published yet. */
  #unpublished: { draft: Draft; result: Stored }[] = []
  /** Drafts of which the store reported a failure, and which may be stored all the same. */
  readonly #uncertain = new Set<string>()
  readonly append: (draft: Draft) => Promise<AppendResult>

  constructor(parts: MessageWriterOptions) {
    this.#parts = parts
    this.append = batched<Draft, AppendResult>(drafts => this.#write(drafts), {
      maxItems: BATCH_MAX,
      // While a batch is being written, the next one grows.
      schedule: run =>
        void this.#mutex.run(async () => {
          await new Promise(resolve => setImmediate(resolve))
          await run()
        }),
    })
  }

  /** Publishes what could not be published yet. MUST be called about every second. */
  async tick(): Promise<void> {
    if (this.#unpublished.length > 0) await this.#mutex.run(() => this.#publish())
  }

  async #write(drafts: Draft[]): Promise<AppendResult[]> {
    try {
      const results = await this.#parts.store.append(drafts, decideMessage)
      for (const [index, result] of results.entries()) {
        const draft = drafts[index] as Draft
        const isUncertain = this.#uncertain.delete(keyOf(draft.message))
        if (result.is === 'stored' && (result.isNew || isUncertain)) this.#unpublished.push({ draft, result })
      }
      await this.#publish()
      return results
    } catch (error) {
      for (const { message } of drafts) this.#uncertain.add(keyOf(message))
      for (const key of this.#uncertain) {
        if (this.#uncertain.size <= UNCERTAIN_MAX) break
        this.#uncertain.delete(key)
      }
      throw error
    }
  }

  /** A failure leaves the messages for the next try: they are stored. */
  async #publish(): Promise<void> {
    const added = this.#unpublished
    this.#unpublished = []
    try {
      const receivers = await this.#parts.publisher.added(
        added.map(({ draft: { chat, session: lease }, result }) => ({
          chat,
          message: result.message,
          lease,
        })),
      )
      for (const [index, { result }] of added.entries()) result.receivers = receivers[index] ?? 0
    } catch (error) {
      this.#unpublished = [...added, ...this.#unpublished]
      this.#parts.onFailure(error)
    }
  }
}
