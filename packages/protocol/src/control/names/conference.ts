import { Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { Cursor } from '../shared.ts'
import { RequiredDisplayName } from './fields.ts'
import { JoinMedia, mediaData } from './media.ts'
import { CONFERENCE_ROLES } from './participant.ts'

const nothing = () => Type.Object({}, strict)

export const conferenceCommands = {
  'conference.join': Type.Object(
    { display_name: Type.Optional(RequiredDisplayName), media: Type.Optional(JoinMedia) },
    { ...strict, description: 'The default name is that of the link, else of the account.' },
  ),
  'conference.leave': nothing(),
  'conference.end': Type.Object({}, { ...strict, description: 'Ends the session for everybody.' }),
  'conference.set_lock': Type.Object(
    { locked: Type.Boolean() },
    {
      ...strict,
      description: 'Newcomers to a locked conference wait in its lobby, except moderators.',
    },
  ),
}

export const conferenceData = {
  'conference.join': Type.Object(
    {
      conference_session_id: Id,
      participant_id: Id,
      role: Type.Enum(CONFERENCE_ROLES),
      stream: Type.Object(Cursor.properties, {
        ...strict,
        description: 'The stream of the session; its events follow.',
      }),
      media: Type.Optional(mediaData['media.open']),
    },
    strict,
  ),
}

export const conferenceEvents = {
  'conference.locked': Type.Object({ locked: Type.Boolean() }, strict),
  'recording.changed': Type.Object({ active: Type.Boolean() }, strict),
  'transcription.changed': Type.Object({ active: Type.Boolean() }, strict),
  'session.ended': Type.Object(
    { reason: Type.Enum(['ended', 'closed', 'cancelled', 'empty']) },
    {
      ...strict,
      description:
        'Ended by a moderator, by the partner (closed, cancelled), or because nobody was present (empty).',
    },
  ),
}
