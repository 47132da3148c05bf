import type { Generated } from 'kysely'

/** Tables of calls. Flags are 0 and 1. */
export interface CallsSchema {
  calls: CallsTable
  call_people: CallPeopleTable
  call_seen: CallSeenTable
  missed_call_mails: MissedCallMailsTable
}

/** Unique by command of an inviter. A unique index ensures at most one ringing call per pair. */
export interface CallsTable {
  id: Generated<number>
  tag: string
  owns_conference: number
  video: number
  inviter_id: number
  inviter_name: string
  command_id: string
  /** The two user ids of a call of one person in a conference of its own, the lower first; null for other calls. */
  pair: string | null
  /** ringing, active or ended */
  state: string
  reason: string | null
  created_at_ms: number
  ring_until_ms: number
  answered_at_ms: number | null
  ended_at_ms: number | null
  revision: number
  /** The server that supervises the open call, until this time by the clock of the database. */
  supervisor: string | null
  supervised_until_ms: Generated<number>
}

/** The invited people. */
export interface CallPeopleTable {
  call_id: number
  user_id: number
  /** In the order of the invitation. */
  position: number
  display_name: string
  state: string
  /** The command that accepted. */
  answer_id: string | null
}

/** The call up to which an account has seen its missed calls. */
export interface CallSeenTable {
  user_id: number
  call_id: number
}

/** At most one mail for each call and person. Those that are done are counted for an hour. */
export interface MissedCallMailsTable {
  /** The call and the person, separated by a hyphen. */
  id: string
  call_id: number
  user_id: number
  inviter_id: number
  /** pending, or done: sent, refused, or not wanted any more */
  state: string
  /** Attempts that have begun. */
  attempts: number
  next_attempt_at_ms: number
  lease: string | null
  created_at_ms: number
}
