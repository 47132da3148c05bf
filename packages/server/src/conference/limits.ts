/** How much fits into one session. Lengths of names and texts stand in the protocol. */
export const PARTICIPANTS_MAX = 500
/** One person's participants at a time, so that nobody fills a conference alone. */
export const DEVICES_MAX = 10
export const REMOVED_MAX = 1000
