import { ensure, isoTimeToMs, type Role } from '@lectern/protocol'
import { formatCalendar } from '../platform/calendar.ts'
import type { RoomPresenter } from './present.ts'
import type { RoomStore } from './stores/rooms.ts'

interface RoomCalendarParts {
  store: Pick<RoomStore, 'find' | 'changedAt'>
  present: RoomPresenter
}

/** Rooms as calendars of one event (docs/partner-api.md#calendar). */
export class RoomCalendar {
  readonly #parts: RoomCalendarParts

  constructor(parts: RoomCalendarParts) {
    this.#parts = parts
  }

  /**
   * The room as a calendar event, with the signed link of the role, or the plain one. Throws `room_not_found` and
   * `room_has_no_time`.
   */
  async of(clientId: number, externalId: string, role?: Role): Promise<string> {
    const { store, present } = this.#parts
    const room = await store.find(clientId, externalId)
    ensure(room, 'room_not_found')
    ensure(room.startsAt !== null, 'room_has_no_time')
    const changedAt = await store.changedAt(room.roomId)
    const event = {
      uid: `${room.tag}@lectern`,
      sequence: room.revision,
      changedAtMs: changedAt * 1000,
      startsAtMs: isoTimeToMs(room.startsAt),
      endsAtMs: room.endsAt === null ? null : isoTimeToMs(room.endsAt),
      title: room.title,
      description: room.description,
      url: linkOf(present.room(room), role),
      isCancelled: room.status === 'cancelled',
    }
    return formatCalendar(room.title, [event])
  }
}

const linkOf = (
  room: Pick<ReturnType<RoomPresenter['room']>, 'join_url' | 'teacher_join_url' | 'student_join_url'>,
  role: Role | undefined,
): string => (role === undefined ? room.join_url : room[`${role}_join_url`])
