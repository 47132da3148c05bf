import type { CallState } from '../call/call.ts'

/** The call while this visitor is in it. */
export type Inside = Extract<CallState, { is: 'inside' }>
