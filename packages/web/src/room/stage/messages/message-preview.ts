import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { ChatMessage } from '@lectern/protocol/control/client'
import type { Call } from '../../../call/call.ts'
import { messagesAfter, type ReadMarker } from '../../chat/unread.ts'
import type { Panel } from '../../panels.ts'

const SHOWN_FOR_MS = 5_000

interface MessagePreviewParts {
  call: Call
  panels: Readable<Panel | null>
  /** Whether the viewer wants to see messages there. */
  isWanted: Readable<boolean>
}

/** The newest message of somebody else, for a few seconds while the chat is closed. */
export class MessagePreview extends Observable<ChatMessage | null> {
  readonly #parts: MessagePreviewParts
  #marker: ReadMarker | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: MessagePreviewParts, lifetime: Lifetime) {
    super(null)
    const { call, panels } = parts
    this.#parts = parts
    lifetime.defer(call.chat.subscribe(() => this.#onChat()))
    lifetime.defer(panels.subscribe(() => panels.get() === 'chat' && this.#hide()))
    lifetime.defer(() => this.#hide())
  }

  /** Messages that were there on joining are nothing new. */
  #onChat(): void {
    const { call, panels, isWanted } = this.#parts
    const state = call.get()
    if (state.is !== 'joined') return
    const { messages } = call.chat.get()
    this.#follow(messages)
    const marker = this.#marker ?? { id: null, at: state.me.joined_at_ms }
    const newest = messages.at(-1)
    this.#marker = newest ? { id: newest.message_id, at: newest.sent_at_ms } : marker
    const last = messagesAfter(messages, marker).findLast(({ user_id }) => user_id !== state.me.user_id)
    if (!last || panels.get() === 'chat' || !isWanted.get()) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#hide(), SHOWN_FOR_MS)
    this.set(last)
  }

  /** A shown message may be edited or deleted. */
  #follow(messages: readonly ChatMessage[]): void {
    const shown = messages.find(each => each.message_id === this.get()?.message_id)
    if (shown?.deleted) this.#hide()
    else if (shown) this.set(shown)
  }

  #hide(): void {
    clearTimeout(this.#timer)
    this.set(null)
  }
}
