import { Observable, singleFlight } from '@lectern/common'
import type { AccountView } from '@lectern/control-client'
import type { ControlEvent, Conversation, EventBody } from '@lectern/protocol/control/client'
import type { AccountConnection } from '../../account-connection/account-connection.ts'

export interface ConversationListState {
  /** Newest activity first. Null: nothing is known yet. */
  conversations: readonly Conversation[] | null
  /** The server has older conversations. */
  hasMore: boolean
  isLoading: boolean
  /** The last attempt to load more has failed. */
  hasFailed: boolean
}

/** The number of conversations in the state of the account. */
const IN_STATE = 100
const PAGE = 100

/**
 * All conversations of the account: the newest ones are in its state, older ones are loaded in pages. What the
 * state or an event says is newer than what was loaded.
 */
export class ConversationList extends Observable<ConversationListState> {
  readonly #connection: AccountConnection
  /** Conversations that are not in the state of the account. */
  readonly #older = new Map<string, Conversation>()
  #view: AccountView | null = null
  /** Absent: no page was loaded yet; null: all were. */
  #next: string | null | undefined
  #isLoading = false
  #loading: Promise<void> | null = null
  #hasFailed = false
  #stop: (() => void)[] = []

  constructor(connection: AccountConnection) {
    super({ conversations: null, hasMore: false, isLoading: false, hasFailed: false })
    this.#connection = connection
  }

  protected override onFirstSubscribe(): void {
    const { onEvent, onSnapshot, subscribe } = this.#connection
    this.#stop = [onEvent(this.#onEvent), onSnapshot(this.#onSnapshot), subscribe(this.#onView)]
    this.#onView()
  }

  protected override onLastUnsubscribe(): void {
    for (const stop of this.#stop.splice(0)) stop()
    // Nothing would keep them up to date.
    this.#dropOlder()
  }

  readonly loadMore = async (): Promise<void> => {
    if (!this.#hasMore()) return
    this.#loading ??= this.#load()
    await this.#loading
  }

  async #load(): Promise<void> {
    this.#isLoading = true
    this.#hasFailed = false
    this.#publish()
    try {
      // The first page repeats what the state contains.
      while (this.#hasMore() && (await this.#loadPage()) === 0);
    } catch {
      this.#hasFailed = true
    } finally {
      this.#isLoading = false
      // Before it is published: a subscriber that waits for the end requests the next page at once.
      this.#loading = null
      this.#publish()
    }
  }

  /** Resolves with the number of conversations that were not known yet. */
  async #loadPage(): Promise<number> {
    const before = this.#next
    const body = { limit: PAGE, ...(typeof before === 'string' && { before }) }
    const page = await this.#connection.command('conversation.list', this.#connection.self, body)
    // A snapshot that arrived meanwhile has restarted the list.
    if (before !== this.#next) return 0
    this.#next = page.next
    const added = page.conversations.filter(
      ({ chat_id }) => !this.#isInState(chat_id) && !this.#older.has(chat_id),
    )
    for (const each of added) this.#older.set(each.chat_id, each)
    return added.length
  }

  /** Loads everything, for a search. */
  readonly loadAll = singleFlight(async (): Promise<void> => {
    do await this.loadMore()
    while (this.#hasMore() && !this.#hasFailed)
  })

  readonly #onView = (): void => {
    const { view } = this.#connection.get()
    if (view === this.#view) return
    // Newer conversations may have displaced some from the state.
    for (const each of this.#view?.conversations ?? []) this.#older.set(each.chat_id, each)
    for (const { chat_id } of view?.conversations ?? []) this.#older.delete(chat_id)
    this.#view = view
    this.#publish()
  }

  readonly #onEvent = ({ name, body }: ControlEvent): void => {
    if (name === 'conversation.removed')
      this.#older.delete((body as EventBody<'conversation.removed'>).chat_id)
    else if (name === 'conversation.changed') {
      const { conversation } = body as EventBody<'conversation.changed'>
      if (this.#older.has(conversation.chat_id)) this.#older.set(conversation.chat_id, conversation)
    } else return
    this.#publish()
  }

  readonly #onSnapshot = (): void => {
    this.#dropOlder()
    this.#publish()
  }

  #dropOlder(): void {
    this.#older.clear()
    this.#next = undefined
    this.#hasFailed = false
  }

  #isInState = (chatId: string) => this.#view?.conversations.some(each => each.chat_id === chatId) ?? false

  #hasMore = () =>
    this.#next === undefined ? (this.#view?.conversations.length ?? 0) >= IN_STATE : this.#next !== null

  #publish(): void {
    const newest = this.#view?.conversations
    const inState = new Set(newest?.map(({ chat_id }) => chat_id))
    const older = [...this.#older.values()].filter(({ chat_id }) => !inState.has(chat_id))
    this.set({
      // Conferences without messages are the last of the server, wherever they belong by their age.
      conversations: newest
        ? [...newest, ...older].sort((a, b) => b.activity_at_ms - a.activity_at_ms)
        : null,
      hasMore: this.#hasMore(),
      isLoading: this.#isLoading,
      hasFailed: this.#hasFailed,
    })
  }
}
