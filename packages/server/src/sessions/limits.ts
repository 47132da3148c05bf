/** How much fits into one session. Lengths of names and texts stand in the protocol. */
export const PARTICIPANTS_MAX = 500
/** One person's participants at a time, so that nobody fills a conference alone. */
export const DEVICES_MAX = 10
export const REMOVED_MAX = 1000
/** Accounts that enter without asking; beyond it those who are not inside are forgotten, the oldest first. */
export const MEMBERS_MAX = 2000
/** Nobody waits longer than this: a page that was forgotten open is no person. */
export const WAIT_MAX_MS = 2 * 3_600_000
/** A denied account does not ask again before. */
export const DENIED_FOR_MS = 5 * 60_000
export const DENIED_MAX = 1000
/** A connection does not wait for more conferences at a time. */
export const WAITS_OF_CONNECTION_MAX = 8
