import {
  cleanDisplayName,
  ensure,
  isoTimeToMs,
  type PersonRequest,
  Refusal,
  ROLES,
  type Role,
  type RoomField,
  type RoomRequest,
  visibleOr,
} from '@lectern/protocol'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import type { Page } from '../platform/paging.ts'
import { makeTag } from '../platform/tag.ts'
import { type ParticipantPreview, previewFor } from '../sessions/participants/participant-preview.ts'
import type { Memberships } from './memberships.ts'
import type { Room, RoomContent, RoomFilter, RoomPerson, RoomSessions } from './ports.ts'
import { differingFields } from './room-differences.ts'
import type { RoomStore } from './stores/rooms.ts'

/** The present state of a room, for people who have not joined. */
export interface RoomPreview {
  isLive: boolean
  participants: ParticipantPreview | null
}

const EMPTY_PERSON: RoomPerson = { displayName: '', externalId: null, link: { version: 1, name: '' } }

/** The rooms of partners and the rules of their changes (docs/partner-api.md#rooms). */
export class Rooms {
  readonly #store: RoomStore
  readonly #conferences: RoomSessions
  readonly #memberships: Memberships
  readonly #clock: Clock

  constructor(parts: {
    store: RoomStore
    conferences: RoomSessions
    memberships: Memberships
    clock: Clock
  }) {
    this.#store = parts.store
    this.#conferences = parts.conferences
    this.#memberships = parts.memberships
    this.#clock = parts.clock
  }

  /**
   * Idempotent: an existing room is returned as it is (docs/partner-api.md#create-a-room), with the fields of the request
   * that differ from it.
   */
  async findOrCreate(
    clientId: number,
    externalId: string,
    request: RoomRequest,
  ): Promise<{ room: Room; created: boolean; differing: RoomField[] }> {
    const content = createContent(externalId, request)
    const existing = await this.#store.find(clientId, externalId)
    const { room, created } = existing
      ? { room: existing, created: false }
      : await this.#store.findOrAdd({ clientId, externalId, tag: makeTag(), ...content }, this.#now())
    return { room, created, differing: created ? [] : differingFields(request, content, room) }
  }

  /** The newest first. */
  list(clientId: number, filter: RoomFilter, page: Page): Promise<Room[]> {
    return this.#store.list(clientId, filter, page)
  }

  async find(clientId: number, externalId: string): Promise<Room> {
    const room = await this.#store.find(clientId, externalId)
    ensure(room, 'room_not_found')
    return room
  }

  findByTag(tag: string): Promise<Room | null> {
    return this.#store.findByTag(tag)
  }

  change(clientId: number, externalId: string, request: RoomRequest): Promise<Room> {
    return this.#update(clientId, externalId, room => changeContent(room, request))
  }

  /** The signed link of the role is another one from then on. */
  rotateLink(clientId: number, externalId: string, role: Role): Promise<Room> {
    return this.#update(clientId, externalId, room => {
      const person = room.people[role]
      const link = { version: person.link.version + 1, name: person.displayName }
      return { ...room, people: { ...room.people, [role]: { ...person, link } } }
    })
  }

  /** Allowed in every state and repeatable, like close (rule HOSTED-5). */
  async cancel(clientId: number, externalId: string): Promise<Room> {
    const room = await this.#update(clientId, externalId, content => ({ ...content, status: 'cancelled' }))
    await this.#conferences.end(room.tag, 'cancelled')
    return room
  }

  async close(clientId: number, externalId: string): Promise<Room> {
    const room = await this.#update(clientId, externalId, content => ({ ...content, status: 'closed' }))
    await this.#conferences.end(room.tag, 'closed')
    return room
  }

  isLive(room: Room): Promise<boolean> {
    return this.#conferences.isLive(room.tag)
  }

  /** Whether it is live, and who is inside, as far as a person with the link of that role may see it. */
  async preview(room: Room, role: Role): Promise<RoomPreview> {
    const isLive = await this.isLive(room)
    const inside = isLive ? await this.#conferences.preview(room.tag) : null
    return { isLive, participants: previewFor(inside, { isModerator: role === 'teacher' }) }
  }

  /** The tags of those that are live. */
  listLive(rooms: readonly Room[]): Promise<ReadonlySet<string>> {
    return this.#conferences.listLive(rooms.map(({ tag }) => tag))
  }

  /** Retries the change on the newest revision until it succeeds. */
  async #update(clientId: number, externalId: string, change: (room: Room) => RoomContent): Promise<Room> {
    for (;;) {
      const room = await this.find(clientId, externalId)
      const content = change(room)
      // First: while the session cannot be reached nothing changes, and a repetition of the request does all of it.
      await this.#endMemberships(room, content)
      const updated = await this.#store.update(room, content, this.#now())
      if (!updated) continue
      // Again: of those who came by the former link in the meantime.
      await this.#endMemberships(room, content)
      return updated
    }
  }

  async #endMemberships(room: Room, content: RoomContent): Promise<void> {
    for (const role of withdrawn(room, content)) {
      const { externalId } = room.people[role]
      if (externalId === null) await this.#memberships.endShared(room, role)
      else await this.#memberships.end(room, externalId)
    }
  }

  #now = () => unixSeconds(this.#clock)
}

/** The roles whose links were replaced. */
const withdrawn = (before: RoomContent, after: RoomContent): Role[] =>
  ROLES.filter(role => before.people[role].link.version !== after.people[role].link.version)

/** Throws the error for links to a room that is not open. */
export function ensureOpen(room: Room, nowMs: number): void {
  if (room.status === 'closed') throw new Refusal('room_closed')
  if (room.status === 'cancelled') throw new Refusal('room_cancelled')
  const { opens_before_s: beforeS } = room.settings
  if (typeof beforeS !== 'number' || room.startsAt === null) return
  const retryAfterMs = isoTimeToMs(room.startsAt) - beforeS * 1000 - nowMs
  if (retryAfterMs > 0) throw new Refusal('room_not_open', undefined, { retryAfterMs })
}

function createContent(externalId: string, request: RoomRequest): RoomContent {
  const start: Room = {
    roomId: 0,
    clientId: 0,
    externalId,
    tag: '',
    title: externalId,
    description: null,
    startsAt: null,
    endsAt: null,
    status: 'scheduled',
    people: { teacher: EMPTY_PERSON, student: EMPTY_PERSON },
    settings: {},
    board: 'keep',
    revision: 0,
  }
  const content = changeContent(start, request)
  // The first link has version 1 and carries the first name.
  const first = ({ displayName, externalId }: RoomPerson): RoomPerson => ({
    displayName,
    externalId,
    link: { version: 1, name: displayName },
  })
  return {
    ...content,
    people: { teacher: first(content.people.teacher), student: first(content.people.student) },
  }
}

/** Absent fields remain, null clears; an empty title becomes the external_id. */
function changeContent(room: Room, request: RoomRequest): RoomContent {
  const title = request.title ?? request.name ?? (request.title === null ? null : request.name)
  const content: RoomContent = {
    title: title === undefined ? room.title : visibleOr(title, room.externalId),
    description: request.description === undefined ? room.description : request.description,
    startsAt: request.starts_at === undefined ? room.startsAt : request.starts_at,
    endsAt: request.ends_at === undefined ? room.endsAt : request.ends_at,
    status: room.status,
    settings: room.settings,
    people: {
      teacher: changePerson(room.people.teacher, request.teacher),
      student: changePerson(room.people.student, request.student),
    },
    board: request.board === undefined ? room.board : (request.board ?? 'keep'),
  }
  const { startsAt, endsAt } = content
  const inOrder = startsAt === null || endsAt === null || isoTimeToMs(startsAt) < isoTimeToMs(endsAt)
  ensure(inOrder, 'invalid_argument', 'ends_at must be after starts_at.')
  return content
}

/** A new external_id rotates the link; a new name does not (rules HOSTED-4 and LINK-7). */
function changePerson(person: RoomPerson, request: PersonRequest | null | undefined): RoomPerson {
  if (request === undefined) return person
  const wanted = request ?? { display_name: null, external_id: null }
  const displayName =
    wanted.display_name === undefined ? person.displayName : cleanDisplayName(wanted.display_name ?? '')
  const externalId = wanted.external_id === undefined ? person.externalId : wanted.external_id
  const link =
    externalId === person.externalId ? person.link : { version: person.link.version + 1, name: displayName }
  return { displayName, externalId, link }
}
