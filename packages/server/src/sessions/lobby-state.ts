import type { ConferenceRole, WaitReason } from '@lectern/protocol/control'

/** An account that waits for a conference, on one connection or several. */
export interface Waiter {
  readonly userId: number
  readonly sinceMs: number
  readonly connections: Set<string>
  displayName: string
  linkRole: ConferenceRole | null
  isGuest: boolean
  role: ConferenceRole
  reason: WaitReason
}

/** Who waits for one conference, with or without an open session. It is not stored: clients enter it again. */
export interface Lobby {
  readonly tag: string
  /** By user id, in the order of arrival. */
  readonly waiters: Map<number, Waiter>
  /** Until when a denied account is refused, by user id. */
  readonly denied: Map<number, number>
  /** The admission context changed, and the waits were not evaluated again yet. */
  isStale: boolean
}

export const makeLobby = (tag: string): Lobby => ({
  tag,
  waiters: new Map(),
  denied: new Map(),
  isStale: false,
})

export const isIdle = ({ waiters, denied }: Lobby) => waiters.size === 0 && denied.size === 0
