import { ensure, Refusal } from '@lectern/protocol'
import type { CommandBody, CommandData, Contact } from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { UserStore } from '../accounts/stores/users.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import { directChatOf } from './chats.ts'
import type { Presences } from './presence.ts'
import { presentContact } from './present.ts'
import { decideAdd, decideRemove } from './relations.ts'
import type { ContactStore } from './stores/contacts.ts'
import type { ConversationStore } from './stores/conversations.ts'

/** The most conversations that an account can mute. */
export const MUTES_MAX = 2_000

interface ContactsOptions {
  store: ContactStore
  conversations: Pick<ConversationStore, 'findMembership' | 'setMuted' | 'find'>
  users: Pick<UserStore, 'find' | 'findByLogin'>
  presences: Pick<Presences, 'of'>
  requests: RateLimiter<number>
  /** Whether the account may find the other one by the id. */
  mayFindById: (userId: number, otherId: number) => Promise<boolean>
  /** The relation of the two accounts has changed. */
  onRelationsChanged: (userId: number, otherId: number) => void
  onMuted: (userId: number, chatId: string, otherId: number | null) => void
}

/** Contacts, requests, blocks and mutes of accounts (rules MSG-20 to MSG-29). */
export class Contacts {
  readonly #parts: ContactsOptions

  constructor(parts: ContactsOptions) {
    this.#parts = parts
  }

  /** Asks the person, or accepts their request. Throws `blocked_by_you` for somebody who is blocked. */
  async add(user: User, { login, user_id }: CommandBody<'contact.add'>): Promise<CommandData<'contact.add'>> {
    const { store, requests, onRelationsChanged } = this.#parts
    ensure(isUser(user), 'accounts_only')
    const other = await this.#find(user, login, user_id)
    if (!(await store.isContactOrAsks(user.id, other.id))) requests.enforce(user.id)
    const refusal = await store.change(user.id, other.id, decideAdd)
    if (refusal) throw new Refusal(refusal)
    onRelationsChanged(user.id, other.id)
    const contact = await this.#contact(user.id, other.id)
    ensure(contact, 'temporarily_unavailable') // removed meanwhile by another command
    return { contact }
  }

  async #find(user: User, login: string | undefined, userId: string | undefined): Promise<User> {
    const { users } = this.#parts
    const other =
      login === undefined
        ? await this.#findById(user, accountIdOf(userId ?? ''))
        : await users.findByLogin(login.trim().toLowerCase())
    ensure(other && other.deletedAt === null && isUser(other) && other.id !== user.id, 'not_reachable')
    return other
  }

  async #findById(user: User, otherId: number): Promise<User | null> {
    const { users, mayFindById } = this.#parts
    return (await mayFindById(user.id, otherId)) ? users.find(otherId) : null
  }

  async #contact(userId: number, otherId: number): Promise<Contact | undefined> {
    const [contact] = await this.#parts.store.find(userId, [otherId])
    return contact && presentContact(contact, this.#parts.presences.of(otherId))
  }

  /** Removing somebody who is not a contact changes nothing. The name of a blocked person is shown to the account. */
  async remove(user: User, { user_id, blocked = false }: CommandBody<'contact.remove'>): Promise<void> {
    const { store, users, onRelationsChanged } = this.#parts
    ensure(isUser(user), 'accounts_only')
    const otherId = accountIdOf(user_id)
    const other = otherId === user.id ? null : await users.find(otherId)
    ensure(other && isUser(other), 'no_such_contact')
    ensure(!blocked || (await this.#parts.mayFindById(user.id, otherId)), 'no_such_contact')
    const refusal = await store.change(user.id, otherId, (relations, counts) =>
      decideRemove(relations, blocked, counts),
    )
    if (refusal) throw new Refusal(refusal)
    onRelationsChanged(user.id, otherId)
  }

  async list(user: User): Promise<CommandData<'contact.list'>> {
    if (!isUser(user)) return { contacts: [] }
    const { store, presences } = this.#parts
    const contacts = await store.list(user.id)
    return { contacts: contacts.map(each => presentContact(each, presences.of(each.userId))) }
  }

  /** Mutes suppress notifications outside of the page, never messages or counters. */
  async setMuted(user: User, { user_id, tag, muted }: CommandBody<'mute.set'>): Promise<void> {
    ensure(isUser(user), 'accounts_only')
    const { store, conversations, onMuted } = this.#parts
    const otherId = user_id === undefined ? null : accountIdOf(user_id)
    ensure(otherId !== null || tag !== undefined, 'invalid_command')
    const chatId = otherId === null ? `conference:${tag}` : directChatOf(user.id, otherId).id
    if (otherId !== null) {
      const [contact] = await store.find(user.id, [otherId])
      const [conversation] = await conversations.find(user.id, [chatId])
      ensure(contact || conversation, 'no_such_contact')
    } else ensure(await conversations.findMembership(tag ?? '', user.id), 'not_a_member')
    const result = await conversations.setMuted(user.id, chatId, muted, MUTES_MAX)
    ensure(result === 'done', 'too_many_mutes')
    onMuted(user.id, chatId, otherId)
  }
}

const accountIdOf = (userId: string): number => (/^\d{1,15}$/.test(userId) ? Number(userId) : 0)
