import type { OrdinaryEntry } from '@lectern/protocol'

/** A conference that a user created. */
export interface OrdinaryConference {
  tag: string
  title: string
  ownerId: number
  createdAtMs: number
  /** How participants other than the owner enter. */
  entry: OrdinaryEntry
  purpose: ConferencePurpose
}

/** `call`: made for a call; nobody enters a `past_call` any more. Neither is listed. */
export type ConferencePurpose = 'meeting' | 'call' | 'past_call'

export interface OrdinaryConferenceStore {
  add(conference: OrdinaryConference): Promise<void>
  /** Null when there is none, or it was removed. */
  find(tag: string): Promise<OrdinaryConference | null>
  /** Meetings only, newest first. */
  listOf(ownerId: number, limit: number): Promise<OrdinaryConference[]>
  /** Meetings only. */
  countOf(ownerId: number): Promise<number>
  /** Null when there is none. */
  update(
    tag: string,
    changes: Pick<OrdinaryConference, 'title' | 'entry'>,
  ): Promise<OrdinaryConference | null>
  /** False when there was none. */
  remove(tag: string): Promise<boolean>
}
