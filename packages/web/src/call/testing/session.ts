import type { SessionView } from '@lectern/control-client'
import { emptySession } from '@lectern/control-client/testing/session'
import type { ChatMessage, ParticipantView, Publication } from '@lectern/protocol/control/client'

export const aParticipant = (id: string, parts: Partial<ParticipantView> = {}): ParticipantView => ({
  participant_id: id,
  user_id: '7',
  display_name: 'Anna',
  role: 'participant',
  presence: 'here',
  hand_raised_at_ms: null,
  joined_at_ms: 1,
  ...parts,
})

/** A session with this participant, and a moderator who is another person. */
export const aSession = (ownId: string): SessionView => ({
  ...emptySession({
    participants: [
      aParticipant(ownId),
      aParticipant('own-tablet'),
      aParticipant('teacher', { user_id: '8', role: 'moderator' }),
    ],
  }),
  ended: null,
})

export const aMessage = (id: string, text = id, user_id = '8'): ChatMessage => ({
  message_id: id,
  user_id,
  display_name: 'Somebody',
  text,
  sent_at_ms: 3,
  edited_at_ms: null,
  deleted: false,
})

export const aPublication = (parts: Partial<Publication> = {}): Publication => ({
  publication_id: 'pub1',
  participant_id: 'teacher',
  source: 'camera',
  paused: false,
  ...parts,
})
