import { type Static, Type } from 'typebox'
import { Next, PageQuery, Search } from '../paging.ts'
import { Result } from '../schema.ts'
import { ROOM_STORED_STATUSES, RoomResponse, RoomStatusResponse } from './rooms.ts'

/** Fields of a request that `PUT` compares with an existing room. */
export const ROOM_FIELDS = [
  'title',
  'description',
  'starts_at',
  'ends_at',
  'board',
  'teacher.display_name',
  'teacher.external_id',
  'student.display_name',
  'student.external_id',
] as const
export type RoomField = (typeof ROOM_FIELDS)[number]

/** The answer to `PUT`. */
export const RoomPutResponse = Type.Object({
  ...RoomResponse.properties,
  created: Type.Boolean({ description: 'False: the room existed already, and is returned unchanged.' }),
  differing_fields: Type.Array(Type.Enum(ROOM_FIELDS), {
    description: 'Fields of the request whose values differ from the existing room. `PATCH` changes them.',
  }),
})
export type RoomPutResponse = Static<typeof RoomPutResponse>

const PersonFilter = (role: string) =>
  Type.Optional(Type.String({ format: 'person-id', description: `\`external_id\` of the ${role}.` }))

export const RoomListQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(Type.Enum(ROOM_STORED_STATUSES, { description: '`stored_status` of the room.' })),
  teacher: PersonFilter('teacher'),
  student: PersonFilter('student'),
  search: Search('the title, the external_id or the tag'),
})

const { result: _, ...listed } = RoomStatusResponse.properties
export const ListedRoom = Type.Object(listed)

export const RoomListResponse = Type.Object({
  result: Result,
  rooms: Type.Array(ListedRoom, { description: 'Newest first, each as in the status response.' }),
  next: Next,
})
export type RoomListResponse = Static<typeof RoomListResponse>
