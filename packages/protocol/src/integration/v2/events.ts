import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../../schema.ts'
import { Metadata, NextAfter, OrderedQuery, UtcTime } from './conventions.ts'
import { PERSON_ROLES } from './people.ts'
import { OfRoom, StoredRecording, WholeTranscript } from './recordings.ts'

export const PARTNER_EVENTS = [
  'room.started',
  'room.ended',
  'participant.waiting',
  'participant.joined',
  'participant.left',
  'recording.started',
  'recording.ready',
  'recording.failed',
  'recording.deleted',
  'transcription.ready',
  'room.deleted',
] as const
export type PartnerEventType = (typeof PARTNER_EVENTS)[number]

const extensible = { additionalProperties: true }

export const EventPerson = Type.Object(
  {
    participant_id: Nullable(Type.String({ description: 'One person on one device; null while waiting.' })),
    external_id: Nullable(Type.String({ description: 'Your own id of the person; null for guests.' })),
    display_name: Type.String(),
    role: Type.Enum(PERSON_ROLES),
    metadata: Metadata,
  },
  extensible,
)
export type EventPerson = Static<typeof EventPerson>

export const AttendanceEntry = Type.Object(
  {
    ...EventPerson.properties,
    joined_at: UtcTime('When they came in.'),
    left_at: Nullable(UtcTime('When they left; null: still inside.')),
    reason: Nullable(Type.String({ description: 'Why they left: `left`, `lost`, `removed` or `ended`.' })),
  },
  extensible,
)
export type AttendanceEntry = Static<typeof AttendanceEntry>

const SessionId = Type.Integer({ description: 'The session: one call in the room.' })

const session = { session_id: SessionId, started_at: UtcTime('When it started.') }
const participant = Type.Object({ participant: EventPerson }, extensible)
const attending = Type.Object({ session_id: SessionId, participant: AttendanceEntry }, extensible)
const recording = Type.Object({ recording: StoredRecording }, extensible)
const jobFields = { id: Type.String(), session_id: SessionId }
const job = Type.Object({ recording: Type.Object(jobFields, extensible) }, extensible)
const failedJob = Type.Object(
  {
    recording: Type.Object(
      {
        ...jobFields,
        reason: Type.String({
          description:
            'Open set: `nothing_captured`, if everybody had left before a recorder was there, or `failed`.',
        }),
      },
      extensible,
    ),
  },
  extensible,
)

const data = {
  'room.started': Type.Object(session, extensible),
  'room.ended': Type.Object(
    {
      ...session,
      ended_at: UtcTime('When it ended.'),
      reason: Type.String({ description: 'Open set, e.g. `empty`, `ended`, `closed`.' }),
      attendance: Type.Array(AttendanceEntry),
    },
    extensible,
  ),
  'participant.waiting': participant,
  'participant.joined': attending,
  'participant.left': attending,
  'recording.started': job,
  'recording.ready': recording,
  'recording.failed': failedJob,
  'recording.deleted': job,
  'transcription.ready': Type.Object({ transcription: WholeTranscript }, extensible),
  'room.deleted': Type.Object({}, extensible),
} as const satisfies Record<PartnerEventType, unknown>

/** The fields of all events of version 2. `data` depends on the type. */
const envelope = {
  id: Type.String({
    pattern: '^evt_[0-9a-f]{32}$',
    description: 'The same for every attempt and in the list.',
  }),
  created_at: UtcTime('When it happened.'),
  sequence: Type.Integer({ minimum: 1, description: 'Counts the events of the room, without gaps.' }),
  room: Type.Object({ external_id: Type.String(), tag: Type.String(), metadata: Metadata }, extensible),
}

/** The schema of each type of event. */
export const PARTNER_EVENT_SCHEMAS = Object.fromEntries(
  PARTNER_EVENTS.map(type => [
    type,
    Type.Object({ ...envelope, type: Type.Literal(type), data: data[type] }, extensible),
  ]),
)

/** The event that an endpoint gets when a test was requested. It concerns no room, and is not listed. */
export const EndpointTestEvent = Type.Object(
  {
    id: envelope.id,
    type: Type.Literal('webhook.test'),
    created_at: envelope.created_at,
    data: Type.Object({ service_account: Type.String(), endpoint_id: Type.String() }, extensible),
  },
  extensible,
)

export const HostedEvent = Type.Object(
  {
    id: envelope.id,
    type: Type.Enum(PARTNER_EVENTS),
    created_at: envelope.created_at,
    sequence: envelope.sequence,
    room: envelope.room,
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  extensible,
)
export type HostedEvent = Static<typeof HostedEvent>

export const EventQuery = Type.Object({
  ...OrderedQuery,
  type: Type.Optional(Type.Enum(PARTNER_EVENTS)),
  room: OfRoom,
})
export const EventListResponse = Type.Object({
  result: Result,
  events: Type.Array(HostedEvent, { description: 'In the `order`.' }),
  next: NextAfter,
  last: Type.Integer({
    description: 'The position of the last event of the page: store it, and pass it as `after`.',
  }),
})
