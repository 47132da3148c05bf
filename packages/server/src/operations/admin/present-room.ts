import type { AdminRoom } from '@lectern/protocol'
import type { Room } from '../../partners/ports.ts'

/** Without links, which are secrets of the partner. `owner`: login of the technical user. */
export const presentRoom = (room: Room, owner: string, live: boolean): AdminRoom => ({
  room_id: room.roomId,
  external_id: room.externalId,
  tag: room.tag,
  title: room.title,
  owner,
  status: room.status,
  live,
  starts_at: room.startsAt,
  ends_at: room.endsAt,
})
