import { type Static, Type } from 'typebox'
import { Nullable } from '../../schema.ts'
import { Id, strict } from '../scalars.ts'
import { boardState } from './board/board.ts'
import { callsState } from './calls.ts'
import { ChatMessage, ChatModeSchema } from './chat.ts'
import { CHAT_TAIL_BYTES, CHAT_TAIL_MAX } from './chat-tail.ts'
import { contactsState } from './contacts.ts'
import { StoredDisplayName, TimeMs } from './fields.ts'
import { LOBBY_MAX, WaitingPerson } from './lobby.ts'
import { MediaRoute, Publication } from './media.ts'
import { conversationsState } from './messages.ts'
import { moderationState } from './moderation.ts'
import { ParticipantView, RemovedPerson } from './participant.ts'
import { Phrase } from './transcription.ts'

/**
 * The states of streams. A snapshot may have several parts with some of the properties each: arrays of the same name
 * are joined in the order of part_index, every other property occurs in exactly one part.
 */

export const PHRASE_TAIL_MAX = 100

export const SessionState = Type.Object(
  {
    conference_tag: Id,
    conference_session_id: Id,
    started_at_ms: TimeMs,
    locked: Type.Boolean(),
    chat_mode: ChatModeSchema,
    ...moderationState,
    recording: Type.Boolean(),
    transcription: Type.Boolean(),
    media: Nullable(MediaRoute),
    participants: Type.Array(ParticipantView, { description: 'In the order of joining.' }),
    publications: Type.Array(Publication, {
      description: 'Publications of a participant end with the participant.',
    }),
    removed: Type.Array(RemovedPerson),
    lobby: Type.Array(WaitingPerson, {
      maxItems: LOBBY_MAX,
      description: 'Waiting accounts, longest wait first.',
    }),
    messages: Type.Array(ChatMessage, {
      maxItems: CHAT_TAIL_MAX,
      description: `The newest messages, oldest first; names and texts have at most ${CHAT_TAIL_BYTES} bytes. chat.history returns the others.`,
    }),
    has_older_messages: Type.Boolean(),
    phrases: Type.Array(Phrase, {
      maxItems: PHRASE_TAIL_MAX,
      description: 'The newest phrases of all transcriptions of the session, oldest first.',
    }),
    ...boardState,
  },
  strict,
)
export type SessionState = Static<typeof SessionState>

export const AccountState = Type.Object(
  { user_id: Id, display_name: StoredDisplayName, ...conversationsState, ...contactsState, ...callsState },
  {
    ...strict,
    description: 'Guests, and accounts of programs, have neither conversations, contacts nor calls.',
  },
)
export type AccountState = Static<typeof AccountState>
