import { type Static, Type } from 'typebox'
import { ROOM_STORED_STATUSES } from '../integration/rooms.ts'
import { Next, PageQuery, Search } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'

export const AdminRoom = Type.Object({
  room_id: Type.Integer(),
  external_id: Type.String(),
  tag: Type.String(),
  title: Type.String(),
  owner: Type.String({ description: 'The login of the technical user.' }),
  status: Type.Enum(ROOM_STORED_STATUSES),
  live: Type.Boolean({ description: 'Somebody is inside.' }),
  starts_at: Nullable(Type.String()),
  ends_at: Nullable(Type.String()),
})
export type AdminRoom = Static<typeof AdminRoom>

export const AdminRoomQuery = Type.Object({
  ...PageQuery,
  search: Search('the title, the external_id or the tag'),
  status: Type.Optional(Type.Enum(ROOM_STORED_STATUSES)),
})

export const AdminRoomListResponse = Type.Object({
  result: Result,
  rooms: Type.Array(AdminRoom, { description: 'Newest first.' }),
  next: Next,
})
export type AdminRoomListResponse = Static<typeof AdminRoomListResponse>

export const AdminRoomResponse = Type.Object({ result: Result, ...AdminRoom.properties })
