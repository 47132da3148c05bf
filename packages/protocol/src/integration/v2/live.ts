import { type Static, Type } from 'typebox'
import { Result, Text } from '../../schema.ts'
import { RoomParams } from '../rooms.ts'
import { UtcTime } from './conventions.ts'
import { EventPerson } from './events.ts'

export const LiveParticipantParams = Type.Object({
  ...RoomParams.properties,
  participant_id: Type.String({ minLength: 1, maxLength: 128, format: 'text' }),
})

export const LiveParticipant = Type.Object({
  ...EventPerson.properties,
  participant_id: Type.String(),
  presence: Type.Enum(['here', 'away'] as const, {
    description: '`away`: the connection is lost for a moment.',
  }),
  joined_at: UtcTime('When they came in.'),
})
export type LiveParticipant = Static<typeof LiveParticipant>

export const LiveParticipantsResponse = Type.Object({
  result: Result,
  live: Type.Boolean(),
  participants: Type.Array(LiveParticipant, { description: 'Empty while nobody is inside.' }),
})

export const MuteRequest = Type.Object({
  source: Type.Optional(
    Type.Enum(['audio', 'video', 'screen'] as const, { description: 'By default `audio`.' }),
  ),
})

export const PlatformMessage = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 2_000, format: 'text', pattern: '\\S' }),
  display_name: Type.Optional(
    Text(80, 'The name that the room sees as the sender; by default the name of your service account.'),
  ),
})
export type PlatformMessage = Static<typeof PlatformMessage>

export const PlatformMessageResponse = Type.Object({ result: Result, message_id: Type.Integer() })
