import type { ContactState, Presence } from '@lectern/protocol/control'
import type { MessageKey, NewMessage, PageSize, SessionLease, StoredMessage } from '../sessions/ports.ts'

/** What one server knows of the presence of an account. */
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

/** Whose conversation it is: two accounts, or the members of a conference. */
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
 * What became of a draft. `isNew`: this call has stored it. `contactsChanged`: it made a contact request, or accepted one.
 * `receivers`: to how many accounts it was published; absent when it was not.
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
  /** When the last message was sent, or the conference was made. */
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

/** Messages and the positions of their readers. */
export interface MessageStore {
  /**
   * Stores drafts in one transaction, in their order, each once for its key: a repeated one has the message that is
   * stored. Who sends has read everything before it. `decide` decides about direct messages. One that is refused leaves
   * no trace.
   */
  append(drafts: Draft[], decide: DecideRelation): Promise<AppendResult[]>
  find(key: MessageKey): Promise<StoredMessage | null>
  get(chatId: string, messageId: number): Promise<StoredMessage | null>
  /** Null when it was deleted, or is not in the chat. */
  edit(chatId: string, messageId: number, text: string, atMs: number): Promise<StoredMessage | null>
  /** Removes the text; null as above. */
  delete(chatId: string, messageId: number, atMs: number): Promise<StoredMessage | null>
  /** The newest messages before one of them, or the oldest after it; at least one. Null: the newest of all. */
  page(
    chatId: string,
    from: { before: number } | { after: number } | null,
    size: PageSize,
  ): Promise<MessagePage>
  /** Moves the position of the member forward. False when it was there, or further, already. */
  read(chatId: string, userId: number, messageId: number): Promise<boolean>
}

/** The conversations of accounts. Those of conferences that were removed do not exist. */
export interface ConversationStore {
  /** Newest message first, then those without messages, by their ids. Null: from the beginning. */
  page(
    userId: number,
    from: { beforeMessage: number } | { afterEmpty: string } | null,
    limit: number,
  ): Promise<StoredConversation[]>
  /** Those of these that the account is a member of. */
  find(userId: number, chatIds: readonly string[]): Promise<StoredConversation[]>
  /** How many have unread messages, and how many of them are not muted. */
  countUnread(userId: number): Promise<{ all: number; unmuted: number }>
  /** All members; for direct conversations with what the sender is to them. */
  recipients(chat: Chat, senderId: number): Promise<Recipient[]>
  /** The other accounts of all direct conversations. */
  directPartners(userId: number): Promise<number[]>
  /** `invited`: the account has not agreed yet. Null: it is no member. */
  findMembership(tag: string, userId: number): Promise<'member' | 'invited' | null>
  /** Whether both are members of one conversation. */
  haveCommon(userId: number, otherId: number): Promise<boolean>
  /** Of these accounts, those that are members, without invited ones. */
  membersAmong(tag: string, userIds: readonly number[]): Promise<number[]>
  /**
   * Of who wants to be one; `added` also after an invitation. The newest message counts as read. `full`: there are as
   * many members as possible.
   */
  addMember(tag: string, userId: number, limit: number): Promise<'added' | 'known' | 'full'>
  /** As addMember, until the account agrees. `declined`: it has left, or declined, before. */
  inviteMember(tag: string, userId: number, limit: number): Promise<'added' | 'known' | 'full' | 'declined'>
  /** `isDeclined`: by the account itself, which is not invited again. */
  removeMember(tag: string, userId: number, options: { isDeclined: boolean }): Promise<boolean>
  members(tag: string): Promise<{ userId: number; displayName: string; isInvited: boolean }[]>
  /** `full`: the account has muted as many as possible. */
  setMuted(userId: number, chatId: string, isMuted: boolean, limit: number): Promise<'done' | 'full'>
  /**
   * Deletes what is left of conversations of removed conferences, at most `limit` messages. True when there may be
   * more.
   */
  sweep(limit: number): Promise<boolean>
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

/** What one account knows of another. */
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

export interface ContactStore {
  /** All that are shown, without deleted accounts. */
  list(userId: number): Promise<StoredContact[]>
  find(userId: number, contactIds: readonly number[]): Promise<StoredContact[]>
  isContact(userId: number, otherId: number): Promise<boolean>
  /** Of these accounts, those that are contacts. */
  contactsAmong(userId: number, userIds: readonly number[]): Promise<number[]>
  /** Of these accounts, those that have blocked the account or are blocked by it. */
  blockedAmong(userId: number, userIds: readonly number[]): Promise<number[]>
  /** Ids of the accounts that have each other as contacts. */
  idsOf(userId: number): Promise<number[]>
  /** The same for many accounts at once. */
  listOfAll(userIds: readonly number[]): Promise<{ userId: number; contactId: number }[]>
  /** Applies a decision about two accounts in one transaction. Returns the refusal, or null. */
  change(userId: number, otherId: number, decide: DecideRelation): Promise<RefusalCode | null>
  /**
   * Accounts whose login or name begins with the text, without the account that searches, those that have blocked it,
   * partners' persons, guests and programs.
   */
  search(
    userId: number,
    text: string,
    limit: number,
  ): Promise<{ userId: number; login: string; displayName: string }[]>
}
