import type { CallState } from '../call/call.ts'

/** The call while this visitor is in it. */
export type JoinedState = Extract<CallState, { is: 'joined' }>
