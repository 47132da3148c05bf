import type { ConferenceEntry } from '../../sessions/ports.ts'

/** A conference that a user created. */
export interface OrdinaryConference {
  tag: string
  title: string
  ownerId: number
  createdAtMs: number
  /** How participants other than the owner enter; `closed`: the account of the owner was deleted. */
  entry: ConferenceEntry
  purpose: ConferencePurpose
  /** Absent: it is not planned. */
  planned?: PlannedTime
}

export interface PlannedTime {
  startsAtMs: number
  endsAtMs: number | null
}

/** `call`: made for a call; nobody enters a `past_call` any more. Neither is listed. */
export type ConferencePurpose = 'meeting' | 'call' | 'past_call'
