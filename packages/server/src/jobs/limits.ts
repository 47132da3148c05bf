/** A worker renews at about a third of it; who is not heard for so long loses the job. */
export const LEASE_MS = 30_000
/** Whoever takes a job so often and never finishes it will not do so next time. */
export const ATTEMPTS_MAX = 20
/** A free job that nobody takes for so long is worth a line in the log. */
export const LATE_MS = 5_000
/** Workers ask again every 30 s: one that was not heard for so long is not there. */
export const WORKER_KEPT_MS = 90_000
/** How long a job is remembered after its end. */
export const ENDED_KEPT_MS = 30 * 86_400_000
