import type { EndReason } from '../ports.ts'

/** The life cycle of an open session. A state holds only what is true in it. */
export type LifecycleState =
  /** Somebody is connected. */
  | { is: 'active' }
  /** Nobody is connected: the grace time runs. */
  | { is: 'empty'; sinceMs: number }
  /** The end was decided and may be stored already. The session never continues. */
  | { is: 'ending'; reason: EndReason }
  /** The end is stored. */
  | { is: 'ended'; reason: EndReason }
  /** Another server has taken the session over; nothing may be stored here any more. */
  | { is: 'lost' }

export const isClosed = ({ is }: LifecycleState): boolean => is === 'ended' || is === 'lost'

export const isEnding = ({ is }: LifecycleState): boolean => is !== 'active' && is !== 'empty'

export function onPresenceChanged(
  state: LifecycleState,
  isAnybodyConnected: boolean,
  nowMs: number,
): LifecycleState {
  if (isEnding(state)) return state
  if (isAnybodyConnected) return { is: 'active' }
  return state.is === 'empty' ? state : { is: 'empty', sinceMs: nowMs }
}

/** The first reason stays. */
export const onEndDecided = (state: LifecycleState, reason: EndReason): LifecycleState =>
  isEnding(state) ? state : { is: 'ending', reason }

export const onEndStored = (state: LifecycleState): LifecycleState =>
  state.is === 'ending' ? { is: 'ended', reason: state.reason } : state

export const onLeaseLost = (state: LifecycleState): LifecycleState =>
  state.is === 'ended' ? state : { is: 'lost' }

/** The reason with which the session has to be ended now; null while it continues. */
export function dueEnd(state: LifecycleState, nowMs: number, graceMs: number): EndReason | null {
  switch (state.is) {
    case 'ending':
      return state.reason
    case 'empty':
      return nowMs - state.sinceMs >= graceMs ? 'empty' : null
    case 'active':
    case 'ended':
    case 'lost':
      return null
  }
}
