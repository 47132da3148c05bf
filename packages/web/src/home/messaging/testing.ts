import type { AccountView } from '@lectern/control-client'
import type { ChatMessage, Contact, Conversation } from '@lectern/protocol/control/client'

/** A message of Ben, user 8. */
export const aMessage = (id: number, parts: Partial<ChatMessage> = {}): ChatMessage => ({
  message_id: String(id),
  user_id: '8',
  display_name: 'Ben',
  text: `text ${id}`,
  sent_at_ms: id * 1_000,
  edited_at_ms: null,
  deleted: false,
  ...parts,
})

export const aConversation = (id: number, parts: Partial<Conversation> = {}): Conversation => ({
  chat_id: `direct:7-${id}`,
  kind: 'direct',
  title: `Person ${id}`,
  user_id: String(id),
  tag: null,
  last_message: null,
  unread: 0,
  read_up_to: null,
  muted: false,
  is_request: false,
  activity_at_ms: id,
  ...parts,
})

export const aContact = (id: number, parts: Partial<Contact> = {}): Contact => ({
  user_id: String(id),
  login: `person-${id}`,
  display_name: `Person ${id}`,
  state: 'contact',
  muted: false,
  presence: 'offline',
  ...parts,
})

/** The state of Anna, user 7. */
export const aView = (parts: Partial<AccountView> = {}): AccountView => ({
  user_id: '7',
  display_name: 'Anna',
  conversations: [],
  unread_conversations: 0,
  unmuted_unread_conversations: 0,
  contacts: [],
  calls: [],
  missed_calls: 0,
  ...parts,
})

export const settle = () => new Promise<void>(resolve => setTimeout(resolve))
