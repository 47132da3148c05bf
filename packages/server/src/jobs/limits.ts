/** A worker renews at about a third of it; who is not heard for so long loses the job. */
export const LEASE_MS = 30_000
/** Whoever takes a job so often and never finishes it will not do so next time. */
export const ATTEMPTS_MAX = 20
/** A free job that nobody takes for so long is worth a line in the log. */
export const LATE_MS = 5_000
