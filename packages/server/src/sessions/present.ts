import type {
  ChatMessage,
  ParticipantView,
  PersonPermissions,
  RemovedPerson,
  SessionState,
} from '@lectern/protocol/control'
import { presentIndex } from './board/deck.ts'
import { presentWaiter } from './lobby/lobby.ts'
import type { PersonException, Removed, StoredMessage } from './ports.ts'
import type { Participant, Session } from './session.ts'

export const presentParticipant = (participant: Participant): ParticipantView => ({
  participant_id: participant.id,
  user_id: String(participant.userId),
  display_name: participant.displayName,
  role: participant.role,
  presence: participant.presence.is,
  hand_raised_at_ms: participant.handRaisedAtMs,
  joined_at_ms: participant.joinedAtMs,
})

export const presentRemoved = ({ userId, displayName }: Removed): RemovedPerson => ({
  user_id: String(userId),
  display_name: displayName,
})

export const presentPermissions = ({
  userId,
  isObserver: _,
  ...exception
}: PersonException): PersonPermissions => ({
  user_id: String(userId),
  ...exception,
})

export const presentMessage = (message: StoredMessage): ChatMessage => ({
  message_id: String(message.messageId),
  command_id: message.commandId,
  user_id: String(message.userId),
  display_name: message.displayName,
  ...(message.isByModerator && { by_moderator: true }),
  text: message.text,
  ...(message.file && { file: message.file }),
  sent_at_ms: message.sentAtMs,
  edited_at_ms: message.editedAtMs,
  deleted: message.isDeleted,
})

export const presentSession = (session: Session): SessionState => ({
  conference_tag: session.tag,
  conference_session_id: String(session.id),
  started_at_ms: session.startedAtMs,
  locked: session.locked,
  chat_mode: session.chatMode,
  permissions: session.moderation.permissions,
  // An entry with a user_id alone has no exceptions, as in the events.
  person_permissions: session.moderation.exceptions
    .map(presentPermissions)
    .filter(person => Object.keys(person).length > 1),
  spotlight_user_id: session.moderation.spotlight === null ? null : String(session.moderation.spotlight),
  recording: session.isRecorded,
  transcription: session.isTranscribed,
  media: session.media,
  participants: [...session.participants.values()].map(presentParticipant),
  publications: [...session.publications.values()],
  removed: [...session.removed.values()].map(presentRemoved),
  lobby: [...session.lobby.waiters.values()].map(presentWaiter),
  messages: session.chat.messages.map(presentMessage),
  has_older_messages: session.chat.hasOlder,
  phrases: [...session.phrases],
  ...(session.board && { board: presentIndex(session.board.deck) }),
})
