import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { RequiredDisplayName, StoredDisplayName, TimeMs } from './fields.ts'

export const CONFERENCE_ROLES = ['moderator', 'participant'] as const
export type ConferenceRole = (typeof CONFERENCE_ROLES)[number]

/** A person on one device, as all others see it. */
export const ParticipantView = Type.Object(
  {
    participant_id: Type.String({
      ...Id,
      description: 'One per connection: a second device has another one.',
    }),
    user_id: Id,
    display_name: StoredDisplayName,
    role: Type.Enum(CONFERENCE_ROLES),
    presence: Type.Enum(['here', 'away'], {
      description: 'away: the connection was lost and may return within the grace time.',
    }),
    hand_raised_at_ms: Nullable(TimeMs),
    joined_at_ms: TimeMs,
  },
  strict,
)
export type ParticipantView = Static<typeof ParticipantView>

export const RemovedPerson = Type.Object({ user_id: Id, display_name: StoredDisplayName }, strict)
export type RemovedPerson = Static<typeof RemovedPerson>

export const MUTABLE_SOURCES = ['audio', 'video', 'screen'] as const
const Source = Type.Enum(MUTABLE_SOURCES)

export const participantCommands = {
  'participant.update': Type.Object(
    {
      participant_id: Type.Optional(Id),
      display_name: Type.Optional(RequiredDisplayName),
      hand_raised: Type.Optional(Type.Boolean()),
    },
    {
      ...strict,
      minProperties: 1,
      description: 'Without participant_id: the sender. A moderator may lower another hand.',
    },
  ),
  'participant.mute': Type.Object(
    { participant_id: Type.Optional(Id), source: Source },
    {
      ...strict,
      description: 'Without participant_id: everybody except the sender. They may unmute themselves.',
    },
  ),
  'participant.remove': Type.Object(
    { participant_id: Id },
    { ...strict, description: 'Removes the person with all devices until the session ends.' },
  ),
  'participant.readmit': Type.Object({ user_id: Id }, { ...strict, description: 'Lifts a removal.' }),
}

export const participantEvents = {
  'participant.joined': Type.Object({ participant: ParticipantView }, strict),
  'participant.changed': Type.Object({ participant: ParticipantView }, strict),
  'participant.left': Type.Object(
    { participant_id: Id, reason: Type.Enum(['left', 'lost', 'removed']) },
    strict,
  ),
  'participant.muted': Type.Object(
    { participant_id: Nullable(Id), source: Source, by_participant_id: Id },
    { ...strict, description: "participant_id null: everybody except the sender's devices." },
  ),
  'participant.removed': Type.Object({ person: RemovedPerson, by_participant_id: Id }, strict),
  'participant.readmitted': Type.Object({ user_id: Id, by_participant_id: Id }, strict),
}
