import { ensure } from '@lectern/protocol'
import { conferenceChat } from '@lectern/protocol/control'
import { isUser } from '../accounts/eligible.ts'
import type { User } from '../accounts/ports.ts'
import type { UserStore } from '../accounts/stores/users.ts'
import { isAcquainted } from './acquaintances.ts'
import type { ContactStore } from './stores/contacts.ts'
import type { ConversationStore } from './stores/conversations.ts'

/** The most members of the conversation of a conference. */
export const MEMBERS_MAX = 1_000

interface MembersOptions {
  store: ConversationStore
  users: Pick<UserStore, 'find' | 'findByLogin'>
  contacts: Pick<ContactStore, 'hasRelation' | 'blockedAmong'>
  findConference: (tag: string) => Promise<{ ownerId: number } | null>
  /** The conversation of the account has appeared, changed or gone. */
  onChanged: (userId: number, chatId: string) => void
}

export interface Member {
  userId: number
  displayName: string
  isOwner: boolean
  /** Added by the owner, without having agreed yet. */
  isInvited: boolean
}

/** The members of the conversations of conferences (rules MSG-30 to MSG-32). */
export class Members {
  readonly #parts: MembersOptions

  constructor(parts: MembersOptions) {
    this.#parts = parts
  }

  /** For members. */
  async list(user: User, tag: string): Promise<Member[]> {
    const { ownerId } = await this.#find(tag)
    ensure(await this.#parts.store.findMembership(tag, user.id), 'not_a_member')
    const members = await this.#parts.store.members(tag)
    return members.map(each => ({ ...each, isOwner: each.userId === ownerId }))
  }

  /**
   * Invites a person in the name of the owner. The person becomes a member by joining the conference or writing there;
   * a member stays one. Ids can be guessed: they find only people with whom the owner has a contact or a conversation.
   */
  async invite(user: User, tag: string, person: { login?: string; user_id?: number }): Promise<Member> {
    const { ownerId } = await this.#find(tag)
    ensure(ownerId === user.id, 'permission_denied', 'This conference is not yours.')
    const { users, contacts, store, onChanged } = this.#parts
    const other =
      person.user_id === undefined
        ? await users.findByLogin((person.login ?? '').trim().toLowerCase())
        : (await this.#isKnown(ownerId, person.user_id))
          ? await users.find(person.user_id)
          : null
    ensure(other && other.deletedAt === null && isUser(other), 'not_reachable')
    if (other.id !== ownerId) {
      ensure((await contacts.blockedAmong(ownerId, [other.id])).length === 0, 'not_reachable')
      const result = await store.inviteMember(tag, other.id, MEMBERS_MAX)
      ensure(result !== 'declined', 'not_reachable')
      ensure(result !== 'full', 'too_many_members')
      if (result === 'added') onChanged(other.id, conferenceChat(tag))
    }
    const isInvited = (await store.findMembership(tag, other.id)) === 'invited'
    return { userId: other.id, displayName: other.displayName, isOwner: other.id === ownerId, isInvited }
  }

  async #isKnown(userId: number, otherId: number): Promise<boolean> {
    const { contacts, store } = this.#parts
    return userId === otherId || isAcquainted({ contacts, conversations: store }, userId, otherId)
  }

  /** Everybody who joins the conference with an account of their own becomes a member, while there is room. */
  async joined(tag: string, userId: number): Promise<void> {
    const user = await this.#parts.users.find(userId)
    if (!user || !isUser(user)) return
    const result = await this.#parts.store.addMember(tag, userId, MEMBERS_MAX)
    if (result === 'added') this.#parts.onChanged(userId, conferenceChat(tag))
  }

  /** The owner or the member removes a membership; the member is not invited again. The owner stays. */
  async remove(user: User, tag: string, userId: number): Promise<void> {
    const { ownerId } = await this.#find(tag)
    ensure(ownerId === user.id || userId === user.id, 'permission_denied', 'This conference is not yours.')
    ensure(userId !== ownerId, 'permission_denied', 'The owner stays a member.')
    const isRemoved = await this.#parts.store.removeMember(tag, userId, { isDeclined: userId === user.id })
    if (isRemoved) this.#parts.onChanged(userId, conferenceChat(tag))
  }

  /** The conference was renamed or removed. */
  async changed(tag: string): Promise<void> {
    const chat = { kind: 'conference' as const, id: conferenceChat(tag), tag }
    for (const { userId } of await this.#parts.store.recipients(chat, 0))
      this.#parts.onChanged(userId, chat.id)
  }

  async #find(tag: string): Promise<{ ownerId: number }> {
    const conference = await this.#parts.findConference(tag)
    ensure(conference, 'conference_not_found')
    return conference
  }
}
