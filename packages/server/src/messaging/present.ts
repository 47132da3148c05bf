import { type Contact, type Conversation, type Presence, previewOf } from '@lectern/protocol/control'
import { presentMessage } from '../sessions/present.ts'
import type { StoredContact, StoredConversation } from './ports.ts'

/** For the account that is a member. */
export function presentConversation(userId: number, conversation: StoredConversation): Conversation {
  const { chat, title, lastMessage, activityAtMs, unread, readId, isMuted, isRequest } = conversation
  const otherId = chat.kind === 'direct' ? chat.userIds.find(id => id !== userId) : undefined
  return {
    chat_id: chat.id,
    kind: chat.kind,
    title,
    user_id: otherId === undefined ? null : String(otherId),
    tag: chat.kind === 'conference' ? chat.tag : null,
    last_message: lastMessage && { ...presentMessage(lastMessage), text: previewOf(lastMessage.text) },
    unread,
    read_up_to: readId === 0 ? null : String(readId),
    muted: isMuted,
    is_request: isRequest,
    activity_at_ms: activityAtMs,
  }
}

/** Logins are private: only of contacts, and of those who have asked. */
export function presentContact(contact: StoredContact, presence: Presence): Contact {
  const { userId, login, displayName, state, isMuted } = contact
  const isLoginKnown = state === 'contact' || state === 'incoming'
  return {
    user_id: String(userId),
    login: isLoginKnown ? login : '',
    display_name: displayName,
    state,
    muted: isMuted,
    presence: state === 'contact' ? presence : 'offline',
  }
}
