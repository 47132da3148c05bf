import type { CallState } from '../call/call.ts'

/** The state of a call after joining. */
export type JoinedState = Extract<CallState, { is: 'joined' }>
