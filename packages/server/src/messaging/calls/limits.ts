/** Open calls that an account may have as the inviter; as many may ring it at the same time. */
export const OPEN_CALLS_PER_ACCOUNT = 5

/** How often an account rings another one: a person who does not answer twice is absent, or unwilling. */
export const RINGS_PER_PAIR_PER_MINUTE = 3

/** The largest page of the history, in bytes of its calls as JSON; it has at least one call. */
export const CALL_PAGE_BYTES = 65_536

/** The length of the title that names the people of a call. */
export const TITLE_MAX = 200

/** A ringing call is cancelled when its inviter has no connection for so long: a reload is quicker. */
export const INVITER_GRACE_MS = 10_000
/** After the answer, people have so long to enter the conference. */
export const ENTER_GRACE_MS = 60_000
/** Being alone in a call for longer is no reload: the others have left. */
export const ALONE_GRACE_MS = 10_000

export const HISTORY_DAYS = 365
export const HISTORY_PER_INVITER = 2_000
export const SWEEP_BATCH = 500
