import { type Static, Type } from 'typebox'
import { Search } from '../../paging.ts'
import { RoomPage } from '../../room-page.ts'
import { Nullable, Result, Text } from '../../schema.ts'
import { ROOM_BOARDS, ROOM_STATUSES, ROOM_STORED_STATUSES } from '../rooms.ts'
import { Metadata, NextAfter, OrderedQuery, UtcTime } from './conventions.ts'

const IsoTime = Type.String({ maxLength: 64, format: 'zoned-time' })

const RECORDING_MODES = ['automatic', 'manual', 'off'] as const
const RECORDING_FORMATS = ['mkv', 'mp4'] as const

/** Settings that the room has beside its title and times. */
export const RoomSettings = Type.Object({
  recording: Type.Object({
    mode: Type.Enum(RECORDING_MODES, {
      description: '`automatic`: with the first participant. `manual`: by `startRoomRecording`.',
    }),
    format: Type.Enum(RECORDING_FORMATS),
    keep_days: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description: 'Then a recording is deleted; null: as the operator set for the account.',
      }),
    ),
  }),
  transcription: Type.Object({
    mode: Type.Enum(['off', 'automatic'] as const),
    language: Nullable(Type.String({ pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$', maxLength: 35 })),
    captions: Type.Boolean({ description: 'People inside can read what is said.' }),
  }),
  lobby: Type.Boolean({ description: 'Students wait until a teacher or an assistant admits them.' }),
  plain_link: Type.Unsafe<'lobby' | 'open' | 'closed' | null>({
    type: ['string', 'null'],
    enum: ['lobby', 'open', 'closed', null],
    description: 'How people without a link of their own enter; null: as the operator set.',
  }),
  opens_before_s: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 2_592_000,
      description:
        'Links answer `room_not_open` until so many seconds before `starts_at`; null: always open.',
    }),
  ),
  max_participants: Nullable(Type.Integer({ minimum: 1, maximum: 500 })),
  ...RoomPage.properties,
  metadata: Metadata,
})
export type RoomSettings = Static<typeof RoomSettings>

const Board = Type.Enum(ROOM_BOARDS, {
  description:
    '`keep`: the board stays for the next session. `fresh`: each session begins with an empty one. `off`: there is none.',
})

/** One shape for PUT and PATCH: what is absent keeps its value. */
export const HostedRoomRequest = Type.Object({
  title: Type.Optional(Nullable(Text(500))),
  description: Type.Optional(Nullable(Text(10_000))),
  starts_at: Type.Optional(Nullable(IsoTime)),
  ends_at: Type.Optional(Nullable(IsoTime)),
  recording: Type.Optional(Type.Partial(RoomSettings.properties.recording)),
  transcription: Type.Optional(Type.Partial(RoomSettings.properties.transcription)),
  lobby: Type.Optional(RoomSettings.properties.lobby),
  plain_link: Type.Optional(RoomSettings.properties.plain_link),
  opens_before_s: Type.Optional(RoomSettings.properties.opens_before_s),
  max_participants: Type.Optional(RoomSettings.properties.max_participants),
  board: Type.Optional(Board),
  brand: Type.Optional(Type.Partial(RoomPage.properties.brand)),
  layout: Type.Optional(RoomPage.properties.layout),
  language: Type.Optional(RoomPage.properties.language),
  return_url: Type.Optional(RoomPage.properties.return_url),
  features: Type.Optional(Type.Partial(RoomPage.properties.features)),
  metadata: Type.Optional(Metadata),
})
export type HostedRoomRequest = Static<typeof HostedRoomRequest>

const room = {
  external_id: Type.String(),
  tag: Type.String({ description: 'Random, and unchanged for ever.' }),
  title: Type.String(),
  description: Nullable(Type.String()),
  starts_at: Nullable(UtcTime('When it begins.')),
  ends_at: Nullable(UtcTime('When it ends.')),
  status: Type.Enum(ROOM_STATUSES),
  live: Type.Boolean({ description: 'A session is open in the room.' }),
  join_url: Type.String({ description: 'Plain room link.' }),
  ...RoomSettings.properties,
  recordings_kept_days: Nullable(
    Type.Integer({
      description:
        'Days after which recordings are deleted: `recording.keep_days`, else what the operator set for the account, at most what is set for the whole server; null: never.',
    }),
  ),
  board: Board,
}

/** A room of version 2. */
export const HostedRoom = Type.Object(room)
export type HostedRoom = Static<typeof HostedRoom>

export const HostedRoomResponse = Type.Object({ result: Result, ...room })
export const HostedRoomPutResponse = Type.Object({
  result: Result,
  ...room,
  created: Type.Boolean({ description: 'False: the room existed, and has the settings of the request now.' }),
})

export const HostedRoomQuery = Type.Object({
  ...OrderedQuery,
  search: Search('title, external_id and tag'),
  status: Type.Optional(Type.Enum(ROOM_STORED_STATUSES)),
})
export const HostedRoomListResponse = Type.Object({
  result: Result,
  rooms: Type.Array(HostedRoom, { description: 'In the `order`.' }),
  next: NextAfter,
})
