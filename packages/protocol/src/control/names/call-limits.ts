/** Limits of calls, which clients need, too (docs/calls.md). */

/** The most people that one call rings. */
export const CALL_PEOPLE_MAX = 20
export const CALL_LIST_MAX = 100
/** The most calls in the state of an account; the newest ones are in it. */
export const OPEN_CALLS_MAX = 20

/** Missed calls are counted up to this number. */
export const MISSED_CALLS_MAX = 99
