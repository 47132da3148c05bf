import { type Integration, standalone } from '../../hooks.ts'
import type { Conference, ConferenceDirectory } from '../../sessions/ports.ts'
import type { OrdinaryConferenceStore } from '../../sessions/stores/conferences.ts'
import type { OrdinaryConference } from './ports.ts'

/** The source of partners' rooms. */
export type RoomSource = Pick<Integration, 'findConference' | 'ownerOf' | 'externalIdsOf'>

/** Finds conferences of users and of partners' rooms by their tags. */
export class ConferenceLookup implements ConferenceDirectory {
  readonly #store: Pick<OrdinaryConferenceStore, 'find'>
  #rooms: RoomSource = standalone

  constructor(store: Pick<OrdinaryConferenceStore, 'find'>) {
    this.#store = store
  }

  /** Adds the partner module. MUST be called before the server accepts requests. */
  useRooms(rooms: RoomSource): void {
    this.#rooms = rooms
  }

  async find(tag: string): Promise<Conference | null> {
    const ordinary = await this.findOrdinary(tag)
    if (ordinary?.purpose === 'past_call') return null
    if (ordinary) return { ...ordinary, kind: 'ordinary' }
    const room = await this.findRoom(tag)
    if (!room) return null
    const { title, entry, board, settings } = room
    return { tag, title, kind: 'partner', ownerId: null, entry, board, ...(settings && { settings }) }
  }

  findOrdinary(tag: string): Promise<OrdinaryConference | null> {
    return this.#store.find(tag)
  }

  /** Throws `room_closed` or `room_cancelled`. */
  findRoom: RoomSource['findConference'] = tag => this.#rooms.findConference(tag)

  /** The technical user who owns the partner's room; null for other conferences. */
  ownerOfRoom = (tag: string): Promise<number | null> => this.#rooms.ownerOf(tag)

  /** The ids that the partner of the room has for accounts. */
  externalIdsOf = (tag: string, userIds: number[]): Promise<Map<number, string>> =>
    this.#rooms.externalIdsOf(tag, userIds)

  /** The account that owns the conference; null without a conference, or after its removal. */
  ownerOf = async (tag: string): Promise<number | null> =>
    (await this.ownerOfRoom(tag)) ?? (await this.findOrdinary(tag))?.ownerId ?? null
}
