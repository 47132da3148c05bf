import { Observable } from '@lectern/common'
import type { ChatMessage } from '@lectern/protocol/control/client'
import type { Call } from '../../call/call.ts'

/** The last message that was read, or where that is unknown, its time. */
export interface ReadMarker {
  id: string | null
  at: number
}

export function messagesAfter(
  messages: readonly ChatMessage[],
  { id, at }: ReadMarker,
): readonly ChatMessage[] {
  const index = messages.findIndex(each => each.message_id === id)
  return index >= 0 ? messages.slice(index + 1) : messages.filter(each => each.sent_at_ms > at)
}

/** The number of messages of others since the chat was last read, or since the join. */
export class Unread extends Observable<number> {
  readonly #call: Call
  #marker: ReadMarker | null = null
  #unfollow: (() => void)[] = []

  constructor(call: Call) {
    super(0)
    this.#call = call
  }

  /** Marks all messages as read. */
  readonly markRead = (): void => {
    const newest = this.#call.chat.get().messages.at(-1)
    if (newest) {
      this.#marker = { id: newest.message_id, at: newest.sent_at_ms }
      this.#call.chat.markRead(newest.message_id)
    }
    this.#count()
  }

  protected override onFirstSubscribe(): void {
    this.#unfollow = [this.#call.subscribe(this.#count), this.#call.chat.subscribe(this.#count)]
    this.#count()
  }

  protected override onLastUnsubscribe(): void {
    for (const unfollow of this.#unfollow.splice(0)) unfollow()
  }

  readonly #count = (): void => {
    const state = this.#call.get()
    if (state.is !== 'joined') return
    const { user_id, joined_at_ms } = state.me
    this.#marker ??= { id: null, at: joined_at_ms }
    const unread = messagesAfter(this.#call.chat.get().messages, this.#marker)
    this.set(unread.filter(each => each.user_id !== user_id).length)
  }
}
