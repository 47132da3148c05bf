/** Limits of one session. The protocol has the lengths of names and texts. */
/** A speaker and 500 viewers. */
export const PARTICIPANTS_MAX = 501
/** One person's participants at a time, so that nobody fills a conference alone. */
export const DEVICES_MAX = 10
export const REMOVED_MAX = 1000
/** Accounts that enter without approval; beyond it the oldest that are not inside are forgotten. */
export const MEMBERS_MAX = 2000
/** Longer waits end: the page was probably forgotten. */
export const WAIT_MAX_MS = 2 * 3_600_000
/** How long a denied account is refused. */
export const DENIED_FOR_MS = 5 * 60_000
export const DENIED_MAX = 1000
/** Conferences for which one connection may wait at a time. */
export const WAITS_OF_CONNECTION_MAX = 8
