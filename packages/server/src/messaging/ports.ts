import type { ContactState, Presence } from '@lectern/protocol/control'
import type { NewMessage, SessionLease, StoredMessage } from '../sessions/ports.ts'

/** The presence of an account as one server knows it. */
export interface PresenceSummary {
  presence: Exclude<Presence, 'offline'>
  /** A connection is logged in right now. */
  isConnected: boolean
  /** The page of such a connection is visible. */
  isVisible: boolean
}

/** Presence of this server that others are to know, and theirs here. */
export interface SharedPresence {
  /** Null: there is nothing to know about the account. */
  summaryOf(userId: number): PresenceSummary | null
  /** The summary of the account may have changed. */
  onSummaryChanged(handler: (userId: number) => void): void
  /** Null: the server knows nothing of the account any more. */
  setRemote(serverId: string, userId: number, summary: PresenceSummary | null): void
  /** The server has failed. Its users have a grace time to reconnect to another one. */
  removeServer(serverId: string): void
}

/** The owners of a conversation: two accounts, or the members of a conference. */
export type Chat =
  | { kind: 'direct'; id: string; userIds: [number, number] }
  | { kind: 'conference'; id: string; tag: string }

/** A message to be stored. */
export interface Draft {
  chat: Chat
  message: NewMessage
  /** Sent inside this session of the conference, also by guests and others who are not members. */
  session?: SessionLease
}

/** A member of a conversation, as somebody who may have to be notified. */
export interface Recipient {
  userId: number
  /** The member has muted the conversation, or the sender (rule PUSH-13). */
  isMuted: boolean
  /** The sender has asked the member to become a contact, and waits for an answer. */
  isRequest: boolean
  /** The newest message that the member has read; 0: none. */
  readId: number
}

export type RefusalCode =
  | 'not_a_member'
  | 'elsewhere'
  | 'not_reachable'
  | 'blocked_by_you'
  | 'request_pending'
  | 'too_many_requests'
  | 'too_many_contacts'

/**
 * The outcome of a draft. `isNew`: this call has stored it. `contactsChanged`: it made a contact request, or accepted
 * one. `receivers`: to how many accounts it was published; absent when it was not.
 */
export type AppendResult =
  | { is: 'stored'; message: StoredMessage; isNew: boolean; contactsChanged: boolean; receivers?: number }
  | { is: 'refused'; code: RefusalCode }

/** How the conversation appears to one of its members. */
export interface StoredConversation {
  chat: Chat
  title: string
  /** Null: the conversation of a conference in which nothing was written. */
  lastMessage: StoredMessage | null
  /** The time of the last message, or of the creation of the conference. */
  activityAtMs: number
  /** At most UNREAD_MAX. */
  unread: number
  /** 0: nothing was read. */
  readId: number
  isMuted: boolean
  isRequest: boolean
}

export interface MessagePage {
  /** Oldest first. */
  messages: StoredMessage[]
  hasMore: boolean
}

/** `declined` is not shown: the account does not answer the request. */
export type StoredContactState = ContactState | 'declined'

export interface StoredContact {
  userId: number
  login: string
  displayName: string
  state: ContactState
  isMuted: boolean
}

/** The relation of one account to another. */
export interface Relation {
  state: StoredContactState
  /** Messages that were sent since the request. */
  sent: number
}

/** Both sides of what two accounts have to do with each other; null: nothing. */
export interface Relations {
  own: Relation | null
  other: Relation | null
}

/** The changes of both sides. Undefined: stays as it is; null: ends. */
export interface RelationChanges {
  own?: Relation | null
  other?: Relation | null
}

/** How many relations an account has, of those that count against its limits. */
export interface RelationCounts {
  /** Contacts, own requests and blocks. */
  own: number
  outgoing: number
  /** Requests of others that wait for an answer. */
  incoming: number
}

export type RelationDecision =
  | { is: 'changed'; changes: RelationChanges }
  | { is: 'refused'; code: RefusalCode }

/** A decision about two accounts; the counts are read when it needs them. */
export type DecideRelation = (
  relations: Relations,
  counts: () => Promise<{ own: RelationCounts; other: RelationCounts }>,
) => RelationDecision | Promise<RelationDecision>
