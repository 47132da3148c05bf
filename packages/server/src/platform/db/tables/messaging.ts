/** Conversations of conferences, and of two accounts from their first message on. */
export interface ConversationsTable {
  chat_id: string
  /** The tag of a conference; null for direct conversations. */
  tag: string | null
  /** 0: none. */
  last_message_id: number
}

/** The accounts that have a conversation in their lists, and how far they have read. */
export interface ConversationMembersTable {
  chat_id: string
  user_id: number
  /** The other account of a direct conversation; null for conferences. */
  other_id: number | null
  /** The newest message that was read; 0: none. */
  read_id: number
}

/** Members of the conversation of a conference who have not agreed to be one yet, and people who do not want to be one. */
export interface ConversationInvitationsTable {
  chat_id: string
  user_id: number
  is_declined: number
}

/** Conversations that an account has muted, whether it has them in its list or not. */
export interface MutesTable {
  user_id: number
  chat_id: string
}

/** The relation of one account to another; mostly there is a row for each direction. */
export interface ContactsTable {
  user_id: number
  contact_id: number
  /** contact, incoming, outgoing, blocked or declined */
  state: string
  /** Messages that were sent since the own request. */
  sent: number
}

export interface MessagingSchema {
  conversations: ConversationsTable
  conversation_members: ConversationMembersTable
  conversation_invitations: ConversationInvitationsTable
  mutes: MutesTable
  contacts: ContactsTable
}
