import type { Call } from './call-state.ts'

export type { Call, CallState, PersonState } from './call-state.ts'

/** A call that is not stored yet. */
export type NewCall = Omit<Call, 'id' | 'revision'> & {
  /** The command that invites, unique for the inviter. */
  commandId: string
  /** The title of the conference that is made for the call; null: it exists already. */
  title: string | null
}

export interface CallPage {
  calls: Call[]
  hasMore: boolean
}

/** Permissions to call. */
export interface CallPermissions {
  /** Those of the accounts that the inviter may call: they are contacts, and nobody has blocked the other. */
  listCallable(inviterId: number, userIds: number[]): Promise<number[]>
  /** Those of the accounts that have blocked the inviter or are blocked by the inviter. */
  listBlocked(inviterId: number, userIds: number[]): Promise<number[]>
  /** Those of the accounts that have agreed to be members of the conference. */
  listMembers(tag: string, userIds: number[]): Promise<number[]>
}

/** The presence of accounts. */
export interface CallPresence {
  /** No connection of the account is logged in. */
  isOffline(userId: number): boolean
}

export type SessionPlace =
  | { is: 'local' }
  | { is: 'remote'; serverId: string }
  | { is: 'none' }
  | { is: 'unknown' }

/** Assigns each open call to one server at a time, which supervises it as long as it lives. */
export interface CallSupervision {
  /** The open calls that this server supervises; it takes over the calls of dead servers. */
  take(): Promise<Call[]>
  /** This server supervises the call from now on. */
  claim(callId: number): Promise<void>
  /** The server that runs its session supervises the call from now on. */
  handOver(callId: number, serverId: string): Promise<void>
}

/** The sessions of conferences. */
export interface CallSessions {
  /** The server of the open session of the conference. `unknown`: its server is gone, and another will take it over. */
  locate(tag: string): Promise<SessionPlace>
  /** Those of the conferences that have an open session, on whichever server. */
  listLive(tags: readonly string[]): Promise<ReadonlySet<string>>
  /** The accounts inside the conference, on whichever server. Throws `temporarily_unavailable` when it cannot be asked. */
  userIdsInside(tag: string): Promise<ReadonlySet<number>>
  /** Whether the account is inside another conference than this one. */
  isInAnotherConference(userId: number, tag: string): boolean
  /** Ends the session of the conference, if there is one. */
  end(tag: string): Promise<void>
}

export interface CallConferences {
  /** Null when no user has made such a conference. */
  find(tag: string): Promise<{ ownerId: number; purpose: 'meeting' | 'call' | 'past_call' } | null>
}

/** Names of accounts. */
export interface CallUsers {
  find(userId: number): Promise<{ displayName: string; deletedAt: number | null } | null>
}

/** Notifies the connections of accounts. No method throws. */
export interface CallNotifier {
  /** Publishes to everybody who follows the call. `before`: null for a new one. */
  changed(before: Call | null, call: Call): void
  missed(userId: number, count: number): void
}
