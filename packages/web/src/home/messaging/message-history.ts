import { Observable } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import type {
  ChatMessage,
  CommandData,
  ControlEvent,
  Conversation,
  EventBody,
  Target,
} from '@lectern/protocol/control/client'
import type { AccountConnection } from '../../account-connection/account-connection.ts'

export type MessagesState =
  | { is: 'loading' }
  | { is: 'failed'; code: string }
  | {
      is: 'loaded'
      /** Without gaps, oldest first. */
      messages: readonly ChatMessage[]
      hasOlder: boolean
      /** The window does not reach the newest message. */
      hasNewer: boolean
    }
type Loaded = Extract<MessagesState, { is: 'loaded' }>
type Page = CommandData<'message.list'>

const PAGE = 50
/** More messages than this leave the window at its other end: a long history stays smooth. */
const WINDOW_MAX = 300

/** A part of the messages of a conversation, which pages in both directions and follows what is written. */
export class MessageHistory extends Observable<MessagesState> {
  readonly #connection: AccountConnection
  readonly #target: Target
  /** Own and others' messages arrived: all that the window did not contain before. */
  readonly #onArrived: (messages: readonly ChatMessage[]) => void
  #stop: (() => void)[] = []
  #isPaging = false
  /** Grows when the window is loaded anew: results of earlier requests are outdated. */
  #version = 0
  /** Events since the last request for the newest messages: its result may not contain them. As many as the window has. */
  #recent: ChatMessage[] = []

  constructor(
    connection: AccountConnection,
    chatId: string,
    onArrived: (messages: readonly ChatMessage[]) => void = () => {},
  ) {
    super({ is: 'loading' })
    this.#connection = connection
    this.#target = { kind: 'chat', id: chatId }
    this.#onArrived = onArrived
  }

  /** Loads the messages around a read position, or the newest ones. Follows the conversation until `close`. */
  readonly open = (readUpTo: string | null): void => {
    this.#stop = [
      this.#connection.onEvent(this.#onEvent),
      this.#connection.onSnapshot(({ streamId }) => {
        if (streamId.startsWith('account:')) void this.#reload()
      }),
    ]
    void this.#load(() => (readUpTo === null ? this.#newest() : this.#around(readUpTo)))
  }

  readonly close = (): void => {
    this.#version++
    for (const stop of this.#stop.splice(0)) stop()
  }

  readonly retry = (): Promise<void> => this.#load(() => this.#newest())

  /** Also the way back from an older part. */
  readonly toNewest = async (): Promise<void> => {
    const state = this.get()
    if (state.is === 'loaded' && state.hasNewer) await this.#load(() => this.#newest(), false)
  }

  readonly loadOlder = (): Promise<void> =>
    this.#page(async ({ messages }) => {
      const [first] = messages
      if (!first) return null
      const page = await this.#list({ before: first.message_id })
      return (state: Loaded): Loaded => {
        const all = [...page.messages, ...state.messages]
        const hasNewer = state.hasNewer || all.length > WINDOW_MAX
        return { ...state, messages: all.slice(0, WINDOW_MAX), hasOlder: page.has_more, hasNewer }
      }
    }, 'hasOlder')

  readonly loadNewer = (): Promise<void> =>
    this.#page(async ({ messages }) => {
      const last = messages.at(-1)
      if (!last) return null
      this.#recent = []
      const page = await this.#list({ after: last.message_id })
      return (state: Loaded): Loaded => {
        const all = [...state.messages, ...page.messages]
        const hasOlder = state.hasOlder || all.length > WINDOW_MAX
        return { ...state, messages: all.slice(-WINDOW_MAX), hasOlder, hasNewer: page.has_more }
      }
    }, 'hasNewer')

  async #page(
    load: (state: Loaded) => Promise<((state: Loaded) => Loaded) | null>,
    direction: 'hasOlder' | 'hasNewer',
  ): Promise<void> {
    const state = this.get()
    if (state.is !== 'loaded' || !state[direction] || this.#isPaging) return
    const version = this.#version
    this.#isPaging = true
    try {
      const extend = await load(state)
      const present = this.get()
      if (!extend || present.is !== 'loaded') return
      // Meanwhile the log was refused further pages: setting the state again makes it ask for them.
      this.set(version === this.#version ? this.#withRecent(extend(present)) : { ...present })
    } catch {
      // The user can retry.
    } finally {
      this.#isPaging = false
    }
  }

  async #load(load: () => Promise<Loaded>, showsProgress = true): Promise<void> {
    const version = ++this.#version
    this.#recent = []
    if (showsProgress) this.set({ is: 'loading' })
    try {
      const loaded = await load()
      if (version === this.#version) this.set(this.#withRecent(loaded))
    } catch (error) {
      if (version !== this.#version || !showsProgress) return
      const { code, reason } = error instanceof ControlFailure ? error : new ControlFailure('closed')
      this.set({ is: 'failed', code: reason ?? code })
    }
  }

  /** Events were missed: the window is read again, as far as it reached. */
  async #reload(): Promise<void> {
    const before = this.get()
    if (before.is === 'failed') return this.retry() // the connection is back
    if (before.is !== 'loaded') return
    const oldest = before.messages[0]?.message_id
    if (before.hasNewer && oldest !== undefined)
      return this.#load(() => this.#from(oldest, before.messages.length), false)
    await this.#load(async () => {
      let loaded = await this.#newest()
      while (loaded.hasOlder && oldest !== undefined && reaches(loaded, oldest) && !isFull(loaded)) {
        const page = await this.#list({ before: loaded.messages[0]?.message_id ?? oldest })
        loaded = { ...loaded, messages: [...page.messages, ...loaded.messages], hasOlder: page.has_more }
      }
      const newest = Number(before.messages.at(-1)?.message_id ?? 0)
      this.#onArrived(loaded.messages.filter(each => Number(each.message_id) > newest))
      return loaded
    }, false)
  }

  async #newest(): Promise<Loaded> {
    const { messages, has_more } = await this.#list({})
    return { is: 'loaded', messages, hasOlder: has_more, hasNewer: false }
  }

  /** Unread messages with some that were read before. */
  async #around(readUpTo: string): Promise<Loaded> {
    const [older, newer] = await Promise.all([
      this.#list({ before: idAfter(readUpTo) }),
      this.#list({ after: readUpTo }),
    ])
    return {
      is: 'loaded',
      messages: [...older.messages, ...newer.messages],
      hasOlder: older.has_more,
      hasNewer: newer.has_more,
    }
  }

  async #from(first: string, count: number): Promise<Loaded> {
    let messages: ChatMessage[] = []
    let after = idBefore(first)
    for (;;) {
      const page: Page = await this.#list({ after })
      messages = [...messages, ...page.messages]
      after = messages.at(-1)?.message_id ?? after
      if (!page.has_more || messages.length >= count)
        return { is: 'loaded', messages, hasOlder: true, hasNewer: page.has_more }
    }
  }

  async #list(body: { before?: string; after?: string }): Promise<Page> {
    // The server knows no message before the first one, whose id is 1.
    if (body.after === '0') {
      const [first, others] = await Promise.all([this.#list({ before: '2' }), this.#list({ after: '1' })])
      return { ...others, messages: [...first.messages, ...others.messages] }
    }
    return this.#connection.command('message.list', this.#target, { ...body, limit: PAGE })
  }

  readonly #onEvent = ({ name, body }: ControlEvent): void => {
    if (name === 'conversation.changed')
      this.#compare((body as EventBody<'conversation.changed'>).conversation)
    if (name !== 'message.added' && name !== 'message.changed') return
    const { chat_id, message } = body as EventBody<'message.added'>
    if (chat_id !== this.#target.id) return
    this.#recent = [...this.#recent, message].slice(-WINDOW_MAX)
    const state = this.get()
    if (state.is === 'loaded') this.set(merge(state, message))
    if (name === 'message.added') this.#onArrived([message])
  }

  /** What servers tell each other may be lost: their states are corrected soon (rule Q8), and show what is missing here. */
  #compare({ chat_id, last_message: newest }: Conversation): void {
    const state = this.get()
    if (chat_id !== this.#target.id || !newest || state.is !== 'loaded' || state.hasNewer) return
    const last = state.messages.at(-1)
    const isNewer = Number(newest.message_id) > Number(last?.message_id ?? 0)
    const isChanged = newest.message_id === last?.message_id && !isSameVersion(newest, last)
    if (isNewer || isChanged) void this.#reload()
  }

  #withRecent = (loaded: Loaded): Loaded => this.#recent.reduce(merge, loaded)
}

/** Message ids are numbers that grow. */
const idBefore = (id: string) => String(Math.max(0, Number(id) - 1))
const idAfter = (id: string) => String(Number(id) + 1)

/** Whether older messages than the first one were in the window. */
const reaches = ({ messages }: Loaded, oldest: string) => Number(messages[0]?.message_id) > Number(oldest)
const isFull = ({ messages }: Loaded) => messages.length >= WINDOW_MAX

const isSameVersion = (one: ChatMessage, other: ChatMessage) =>
  one.edited_at_ms === other.edited_at_ms && one.deleted === other.deleted

/** A new message, or a newer form of one in the window. One from another server may arrive after a later one. */
function merge(state: Loaded, message: ChatMessage): Loaded {
  const { messages, hasNewer } = state
  if (messages.some(each => each.message_id === message.message_id)) {
    const changed = messages.map(each => (each.message_id === message.message_id ? message : each))
    return { ...state, messages: changed }
  }
  const isAfter = (each: ChatMessage | undefined) =>
    Number(message.message_id) > Number(each?.message_id ?? 0)
  if ((hasNewer && isAfter(messages.at(-1))) || (state.hasOlder && !isAfter(messages[0]))) return state
  const later = messages.filter(each => !isAfter(each))
  const all = [...messages.slice(0, messages.length - later.length), message, ...later]
  return { ...state, messages: all.slice(-WINDOW_MAX), hasOlder: state.hasOlder || all.length > WINDOW_MAX }
}
