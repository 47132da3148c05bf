import { type Static, Type } from 'typebox'
import { DisplayName } from '../accounts.ts'
import { RoomPage } from '../room-page.ts'
import { Nullable, ParticipantPreview, Result, Text } from '../schema.ts'

export const ROOM_STATUSES = ['scheduled', 'active', 'cancelled', 'closed'] as const
export type RoomStatus = (typeof ROOM_STATUSES)[number]
export const ROOM_STORED_STATUSES = ['scheduled', 'closed', 'cancelled'] as const

export const ROLES = ['teacher', 'student'] as const
export type Role = (typeof ROLES)[number]

/** 1 to 255 characters; `.` and `..` are refused because clients rewrite such paths (rule HOSTED-1). */
export const RoomParams = Type.Object({
  external_id: Type.String({
    minLength: 1,
    maxLength: 255,
    format: 'text',
    pattern: '^(?!\\.{1,2}$)',
    description: "The partner's own id of the room, percent-encoded in the path.",
  }),
})

export const RoomCalendarQuery = Type.Object({
  role: Type.Optional(
    Type.Enum(ROLES, { description: 'Whose signed link the event has; without it, the plain link.' }),
  ),
})

const IsoTime = Type.String({ maxLength: 64, format: 'zoned-time' })

export const PersonRequest = Type.Object({
  display_name: Type.Optional(Nullable(DisplayName)),
  external_id: Type.Optional(
    Nullable(
      Type.String({
        format: 'person-id',
        description: "1 to 255 bytes; the partner's id of the person. Null removes it.",
      }),
    ),
  ),
})
export type PersonRequest = Static<typeof PersonRequest>

export const ROOM_BOARDS = ['keep', 'fresh', 'off'] as const
export type RoomBoard = (typeof ROOM_BOARDS)[number]

/** One shape for PUT and PATCH: nothing is required; null means "none" (docs/partner-api.md#request-fields). */
export const RoomRequest = Type.Object({
  title: Type.Optional(Nullable(Text(500))),
  name: Type.Optional(Nullable(Text(500, 'Another name for `title`, which wins.'))),
  starts_at: Type.Optional(Nullable(IsoTime)),
  ends_at: Type.Optional(Nullable(IsoTime)),
  description: Type.Optional(Nullable(Text(10_000))),
  teacher: Type.Optional(Nullable(PersonRequest)),
  student: Type.Optional(Nullable(PersonRequest)),
  board: Type.Optional(
    Nullable(
      Type.Unsafe<RoomBoard>({
        type: 'string',
        enum: [...ROOM_BOARDS, null],
        description:
          'Whether the board stays for the next session (the default), each session begins with an empty one, or there is none.',
      }),
    ),
  ),
})
export type RoomRequest = Static<typeof RoomRequest>

/** A person of a room, as the partner named them. */
export const RoomPerson = Type.Object({
  display_name: Type.String(),
  external_id: Type.Optional(Type.String()),
})

/** The part of a room that both its owner and a guest with a link may see. */
const publicRoom = {
  room_id: Type.Integer(),
  external_id: Type.String(),
  tag: Type.String({ description: 'Equal to conference_tag in the archive.' }),
  title: Type.String(),
  starts_at: Nullable(Type.String()),
  ends_at: Nullable(Type.String()),
  status: Type.Enum(ROOM_STATUSES),
  join_url: Type.String({ description: 'Plain room link.' }),
}

export const RoomResponse = Type.Object({
  result: Result,
  ...publicRoom,
  description: Nullable(Type.String()),
  teacher_join_url: Type.String({ description: 'Signed link; gives the role teacher.' }),
  student_join_url: Type.String({ description: 'Signed link; gives the role student.' }),
  teacher: RoomPerson,
  student: RoomPerson,
  board: Type.Optional(
    Type.Enum(ROOM_BOARDS, { description: 'Absent in rooms that keep their board, the default.' }),
  ),
})
export type RoomResponse = Static<typeof RoomResponse>

export const RoomStatusResponse = Type.Object({
  ...RoomResponse.properties,
  stored_status: Type.String({ description: '`status` as stored: never `active`.' }),
  live: Type.Boolean({ description: 'A session is open in the room.' }),
})
export type RoomStatusResponse = Static<typeof RoomStatusResponse>

/** The room that a signed link opens (docs/partner-api.md#resolve-a-link). Never holds the links themselves. */
export const JoinResponse = Type.Object({
  result: Result,
  role: Type.Enum(ROLES),
  participant_auth: Type.Boolean({ description: 'POST to the same address signs the person in.' }),
  display_name: Type.String(),
  ...publicRoom,
  description: Nullable(Type.String()),
  participants: Type.Optional(ParticipantPreview),
  ui_profile: Type.Literal('partner_videoroom'),
  layout_mode: Type.Literal('webinar'),
  features: Type.Object({
    main_navigation: Type.Boolean(),
    chat: Type.Boolean(),
    transcription: Type.Boolean(),
    recording_controls: Type.Boolean(),
  }),
  recording: Type.Object({
    mode: Type.Enum(['automatic', 'manual', 'off'] as const, {
      description: '`automatic`, unless version 2 of the API set another one.',
    }),
  }),
  page: Type.Optional(RoomPage),
})
export type JoinResponse = Static<typeof JoinResponse>
