import type { AccountState } from '@lectern/protocol/control'
import { CONVERSATIONS_MAX } from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { AccountEvent, AccountStateSource, StaleKey } from '../control/streams/account-state.ts'
import type { Presences } from './presence.ts'
import { presentContact, presentConversation } from './present.ts'
import type { ContactStore } from './stores/contacts.ts'
import type { ConversationStore } from './stores/conversations.ts'

/** The names of the sources. */
export const CONVERSATIONS = 'conversations'
export const CONTACTS = 'contacts'

const isSame = (one: object | undefined, other: object) => JSON.stringify(one) === JSON.stringify(other)

type Unread = Pick<AccountState, 'unread_conversations' | 'unmuted_unread_conversations'>

/** Stands for the numbers of unread conversations. */
const UNREAD = 'unread'

/** The conversations in the states of accounts; their keys are chat ids. */
export class ConversationSource implements AccountStateSource {
  readonly #store: ConversationStore

  constructor(store: ConversationStore) {
    this.#store = store
  }

  async load(user: User): Promise<Partial<AccountState>> {
    if (!isUser(user)) return {}
    const stored = await this.#store.page(user.id, null, CONVERSATIONS_MAX)
    return {
      conversations: stored.map(each => presentConversation(user.id, each)),
      ...(await this.#countUnread(user.id)),
    }
  }

  keysOf({ conversations = [] }: Partial<AccountState>): string[] {
    return [...conversations.map(each => each.chat_id), UNREAD]
  }

  async refresh(keys: readonly string[], state: AccountState) {
    const chatIds = keys.filter(key => key !== UNREAD)
    const userId = Number(state.user_id)
    const stored = await this.#store.find(userId, chatIds)
    const present = new Map(stored.map(each => [each.chat.id, presentConversation(userId, each)]))
    const known = new Map(state.conversations.map(each => [each.chat_id, each]))
    const changed = chatIds.filter(id => {
      const now = present.get(id)
      return now ? !isSame(known.get(id), now) : known.has(id)
    })
    if (changed.length === 0 && !keys.includes(UNREAD)) return []
    const unread = await this.#countUnread(userId)
    // Events of conversations contain the numbers, so that any of these events corrects them.
    const { unread_conversations, unmuted_unread_conversations } = state
    if (changed.length === 0 && !isSame({ unread_conversations, unmuted_unread_conversations }, unread))
      changed.push(...[...present.keys()].slice(0, 1))
    return changed.map(key => {
      const conversation = present.get(key)
      const event: AccountEvent = conversation
        ? { name: 'conversation.changed', body: { conversation, ...unread } }
        : { name: 'conversation.removed', body: { chat_id: key, ...unread } }
      return { key, event }
    })
  }

  staleAfter(event: AccountEvent, { conversations }: AccountState): StaleKey | null {
    if (event.name !== 'message.added' && event.name !== 'message.changed') return null
    const { chat_id } = event.body
    const isKnown = conversations.some(each => each.chat_id === chat_id)
    // A new message of a known conversation is counted from the event alone; the rest is read.
    return { key: chat_id, isUrgent: event.name === 'message.changed' || !isKnown }
  }

  async #countUnread(userId: number): Promise<Unread> {
    const { all, unmuted } = await this.#store.countUnread(userId)
    return { unread_conversations: all, unmuted_unread_conversations: unmuted }
  }
}

/** The contacts in the states of accounts; their keys are user ids. */
export class ContactSource implements AccountStateSource {
  readonly #store: ContactStore
  readonly #presences: Presences

  constructor(store: ContactStore, presences: Presences) {
    this.#store = store
    this.#presences = presences
  }

  async load(user: User): Promise<Partial<AccountState>> {
    if (!isUser(user)) return {}
    const stored = await this.#store.list(user.id)
    return { contacts: stored.map(each => presentContact(each, this.#presences.of(each.userId))) }
  }

  keysOf({ contacts = [] }: Partial<AccountState>): string[] {
    return contacts.map(each => each.user_id)
  }

  async refresh(userIds: readonly string[], state: AccountState) {
    const stored = await this.#store.find(Number(state.user_id), userIds.map(Number))
    const present = new Map(
      stored.map(each => [String(each.userId), presentContact(each, this.#presences.of(each.userId))]),
    )
    const known = new Map(state.contacts.map(each => [each.user_id, each]))
    return userIds.flatMap((key): { key: string; event: AccountEvent }[] => {
      const contact = present.get(key)
      if (!contact)
        return known.has(key) ? [{ key, event: { name: 'contact.removed', body: { user_id: key } } }] : []
      return isSame(known.get(key), contact)
        ? []
        : [{ key, event: { name: 'contact.changed', body: { contact } } }]
    })
  }

  staleAfter(event: AccountEvent): StaleKey | null {
    return event.name === 'presence.changed' ? { key: event.body.user_id, isUrgent: false } : null
  }
}
