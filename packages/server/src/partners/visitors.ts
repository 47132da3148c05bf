import { createHmac } from 'node:crypto'
import { cleanDisplayName, DISPLAY_NAME_MAX, ensure, Refusal, type Role } from '@lectern/protocol'
import type { Accounts } from '../accounts/accounts.ts'
import type { Keys } from '../accounts/keys.ts'
import { partnerPersonLogin } from '../accounts/partner-person.ts'
import type { User } from '../accounts/ports.ts'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type { LinkGrant } from '../sessions/ports.ts'
import type { Links } from './links.ts'
import type { Room } from './ports.ts'
import { ensureOpen, type Rooms } from './rooms.ts'
import type { ParticipantStore } from './stores/participants.ts'

/** A valid signed link: the room, and the role and name that it grants. */
export interface RoomEntry {
  room: Room
  role: Role
  displayName: string
  /** The partner's id of the person; null: the link is not personal. */
  externalId: string | null
  /** Watches only. */
  isObserver: boolean
}

/** What programs write around a link to emphasize it, and a token may consist of; none that is signed today ends in it. */
const MARKUP = /[-_]+$/

/** Links of version 2. */
export interface PersonalLinks {
  /** Null for a token of another kind; `entry` is null when the link's room does not exist. */
  readLink(token: string): Promise<{ entry: RoomEntry | null } | null>
}

/** Resolves signed links, and manages the accounts behind personal ones (docs/partner-api.md#links). */
export class Visitors {
  readonly #rooms: Rooms
  readonly #links: Links
  readonly #personalLinks: PersonalLinks
  readonly #participants: ParticipantStore
  readonly #accounts: Accounts
  readonly #keys: Keys
  readonly #clock: Clock

  constructor(parts: {
    rooms: Rooms
    links: Links
    personalLinks: PersonalLinks
    participants: ParticipantStore
    accounts: Accounts
    keys: Keys
    clock: Clock
  }) {
    this.#rooms = parts.rooms
    this.#links = parts.links
    this.#personalLinks = parts.personalLinks
    this.#participants = parts.participants
    this.#accounts = parts.accounts
    this.#keys = parts.keys
    this.#clock = parts.clock
  }

  /**
   * Throws `link_invalid`, `room_not_found`, `link_rotated`, `room_closed`, `room_cancelled` or `account_deleted`, in this
   * order: a replaced link reveals nothing more about the room.
   */
  async resolve(token: string): Promise<RoomEntry> {
    return (await this.#open(token)).entry
  }

  /** The grant of the link to the connection of a signed-in account (rules LINK-1 to LINK-4). */
  async admit(token: string, userId: number): Promise<LinkGrant> {
    const entry = await this.#readLink(token)
    ensure(entry, 'link_invalid')
    const { room, role, displayName, externalId, isObserver } = entry
    if (externalId !== null) {
      const owner = await this.#participants.find(room.clientId, externalId)
      ensure(owner === userId, 'permission_denied', 'This link belongs to another account.')
    }
    const grant = role === 'teacher' ? 'moderator' : 'participant'
    return {
      tag: room.tag,
      role: grant,
      displayName,
      ...(isObserver && { isObserver }),
      ...(externalId === null && { isShared: true }),
    }
  }

  /** The person of the link; without an account where the link is not personal. Throws as `resolve` does. */
  async enter(token: string): Promise<{ tag: string; displayName: string; user: User | null }> {
    const { room, displayName, externalId } = await this.resolve(token)
    return { tag: room.tag, displayName, user: externalId === null ? null : await this.signIn(token) }
  }

  /** Signs in as the person of the link, whose account is created if necessary; a given name replaces the account's. */
  async signIn(token: string, displayName?: string | null): Promise<User> {
    const { entry, user } = await this.#open(token)
    const { externalId } = entry
    ensure(externalId !== null, 'no_participant_account')
    const wanted = cleanDisplayName(displayName ?? '')
    const { clientId } = entry.room
    const person = user ?? (await this.#createAccount(clientId, externalId, wanted || entry.displayName))
    return this.#accounts.rename(person, wanted)
  }

  /** The link's room and role, and the account of its person; null before that is created. */
  async #open(token: string): Promise<{ entry: RoomEntry; user: User | null }> {
    const entry = await this.#readLink(token)
    ensure(entry, 'room_not_found')
    const { externalId } = entry
    const userId = externalId && (await this.#participants.find(entry.room.clientId, externalId))
    return { entry, user: userId ? await this.#findPerson(userId) : null }
  }

  async #findPerson(userId: number): Promise<User> {
    const user = await this.#accounts.find(userId)
    if (!user || user.deletedAt !== null) throw new Refusal('account_deleted')
    ensure(user.disabledAt === null, 'account_disabled')
    return user
  }

  /** Null when the link's room does not exist. */
  async #readLink(token: string): Promise<RoomEntry | null> {
    const bare = token.replace(MARKUP, '')
    try {
      return await this.#readExactly(token)
    } catch (error) {
      if (bare === token || !(error instanceof Refusal && error.code === 'link_invalid')) throw error
      return this.#readExactly(bare)
    }
  }

  async #readExactly(token: string): Promise<RoomEntry | null> {
    const personal = await this.#personalLinks.readLink(token)
    if (personal) return personal.entry
    const link = this.#links.verify(token)
    const room = await this.#rooms.findByTag(link.tag)
    if (!room) return null
    const person = room.people[link.role]
    ensure(link.version === person.link.version, 'link_rotated')
    ensureOpen(room, this.#clock())
    // The name in the room may be newer than the signed one.
    const { externalId } = person
    const displayName = person.displayName || link.displayName
    return { room, role: link.role, displayName, externalId, isObserver: false }
  }

  /**
   * The login is derived from the identity key, so that concurrent calls, or a retry after an interruption between
   * account and binding, yield the same account.
   */
  async #createAccount(clientId: number, externalId: string, displayName: string): Promise<User> {
    const digest = createHmac('sha256', this.#keys.derive('participant login'))
      .update(`${clientId}:${externalId}`)
      .digest('hex')
      .slice(0, 24)
    const name = Array.from(cleanDisplayName(displayName) || 'Guest')
      .slice(0, DISPLAY_NAME_MAX)
      .join('')
    const user = await this.#accounts.findOrAddPerson(partnerPersonLogin(digest), name)
    const userId = await this.#participants.bind(clientId, externalId, user.id, unixSeconds(this.#clock))
    return this.#findPerson(userId)
  }
}
