import {
  cleanDisplayName,
  ensure,
  type InvitedPerson,
  Refusal,
  ROLES,
  ROOM_PEOPLE_MAX,
  type Role,
  type RoomPersonRequest,
} from '@lectern/protocol'
import type { Memberships } from '../../memberships.ts'
import type { AfterPage, Person, Room } from '../../ports.ts'
import type { RoomPresenter } from '../../present.ts'
import type { PeopleStore } from '../../stores/v2/people.ts'
import type { RequestStore } from '../../stores/v2/requests.ts'
import type { RoomEntry } from '../../visitors.ts'
import { ensureMetadata } from '../metadata.ts'
import type { ForgottenPeople } from './forgotten-people.ts'
import { makePersonKey, type PersonLinks } from './person-links.ts'

interface PeopleParts {
  store: PeopleStore
  requests: Pick<RequestStore, 'forgetPerson'>
  links: PersonLinks
  memberships: Pick<Memberships, 'end'>
  forgotten: Pick<ForgottenPeople, 'unlessElsewhere'>
  present: RoomPresenter
  publicUrl: () => string
  /** The room with that tag. */
  findRoom: (tag: string) => Promise<Room | null>
  /** Throws the refusal of links to a room that is not open. */
  ensureOpen: (room: Room) => void
  /** Removes a person of version 1 from the room, whose link changes. */
  clearRole: (room: Room, role: Role) => Promise<unknown>
  /** Replaces the link of a person of version 1. */
  rotateRole: (room: Room, role: Role) => Promise<Room>
}

/** The people of a room and their personal links (docs/partner-api-v2.md#people). */
export class People {
  readonly #parts: PeopleParts

  constructor(parts: PeopleParts) {
    this.#parts = parts
  }

  /**
   * Adds or changes a person; one of version 1 keeps the name and the role. Throws `too_many_people`, and
   * `room_not_found` if the room is deleted meanwhile.
   */
  async put(room: Room, externalId: string, request: RoomPersonRequest): Promise<InvitedPerson> {
    const { display_name, role, metadata } = request
    if (metadata) ensureMetadata(metadata)
    const changes = {
      ...(display_name !== undefined && { displayName: cleanDisplayName(display_name) }),
      ...(role && { role }),
      ...(metadata && { metadata }),
    }
    const former = this.#ofVersion1(room).find(each => each.external_id === externalId)
    const person = await this.#parts.store.save(
      {
        clientId: room.clientId,
        tag: room.tag,
        externalId,
        key: makePersonKey(),
        displayName: former?.display_name ?? '',
        role: former?.role ?? 'student',
        metadata: {},
      },
      changes,
      ROOM_PEOPLE_MAX,
    )
    ensure(person, 'too_many_people')
    await this.#ensureExists(room, externalId)
    return this.#present(person)
  }

  /** Nobody is left behind in a room that was deleted meanwhile. */
  async #ensureExists({ tag }: Room, externalId: string): Promise<void> {
    const { store, findRoom } = this.#parts
    if (await findRoom(tag)) return
    await store.remove(tag, externalId)
    throw new Refusal('room_not_found')
  }

  /** Throws `person_not_found`. */
  async get(room: Room, externalId: string): Promise<InvitedPerson> {
    const person = await this.#parts.store.find(room.tag, externalId)
    const found = person
      ? this.#present(person)
      : this.#ofVersion1(room).find(each => each.external_id === externalId)
    ensure(found, 'person_not_found')
    return found
  }

  /** The teacher and the student of version 1 are on the first page, before all others. */
  async list(room: Room, page: AfterPage): Promise<{ people: InvitedPerson[]; next: number | null }> {
    const found = await this.#parts.store.list(room.tag, { ...page, limit: page.limit + 1 })
    const shown = found.slice(0, page.limit)
    const first = page.after === 0 ? this.#ofVersion1(room) : []
    const externalIds = first.map(each => each.external_id)
    const [again = []] = await this.#parts.store.named([{ tag: room.tag, externalIds }])
    const others = first.filter(each => !again.some(({ externalId }) => externalId === each.external_id))
    return {
      people: [...others, ...shown.map(person => this.#present(person))],
      next: found.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
    }
  }

  /** Replaces the personal link, and those of version 1. Throws `person_not_found`. */
  async rotate(room: Room, externalId: string): Promise<InvitedPerson> {
    const { store, memberships, rotateRole } = this.#parts
    await store.rotate(room.tag, externalId)
    await memberships.end(room, externalId)
    let rotated = room
    for (const role of ROLES)
      if (room.people[role].externalId === externalId) rotated = await rotateRole(room, role)
    return this.get(rotated, externalId)
  }

  /** Ends the validity of the link; somebody who is in no other room loses the name. May be repeated. */
  async remove(room: Room, externalId: string): Promise<void> {
    await this.#parts.store.remove(room.tag, externalId)
    await this.#parts.memberships.end(room, externalId)
    await this.#parts.requests.forgetPerson(room.clientId, room.externalId, externalId)
    for (const role of ROLES)
      if (room.people[role].externalId === externalId) await this.#parts.clearRole(room, role)
    await this.#parts.forgotten.unlessElsewhere(room.clientId, externalId, room.tag)
  }

  /**
   * Opens a personal link; null for a token of another kind. Throws `link_invalid`, `link_rotated` or the refusal of a
   * room that is not open; `entry` is null when there is no such room.
   */
  async readLink(token: string): Promise<{ entry: RoomEntry | null } | null> {
    const claims = this.#parts.links.read(token)
    if (!claims) return null
    const room = await this.#parts.findRoom(claims.tag)
    if (!room) return { entry: null }
    const person = await this.#parts.store.findByKey(claims.key)
    const isValid = person?.tag === room.tag && person.linkVersion === claims.version
    if (!isValid) throw new Refusal('link_rotated')
    this.#parts.ensureOpen(room)
    const { displayName, externalId } = person
    const role = isModerator(person) ? 'teacher' : 'student'
    return { entry: { room, role, displayName, externalId, isObserver: person.role === 'observer' } }
  }

  #present(person: Person): InvitedPerson {
    const { tag, key, linkVersion: version } = person
    return {
      external_id: person.externalId,
      display_name: person.displayName,
      role: person.role,
      metadata: person.metadata,
      join_url: `${this.#parts.publicUrl()}/j/${this.#parts.links.sign({ tag, key, version })}`,
    }
  }

  #ofVersion1(room: Room): InvitedPerson[] {
    return ROLES.flatMap(role => {
      const { externalId, displayName } = room.people[role]
      if (externalId === null) return []
      const join_url = `${this.#parts.publicUrl()}/j/${this.#parts.present.linkToken(room, role)}`
      return [{ external_id: externalId, display_name: displayName, role, metadata: {}, join_url }]
    })
  }
}

const isModerator = ({ role }: Person) => role === 'teacher' || role === 'assistant'
