/** Workers renew after about a third of it. */
export const LEASE_MS = 30_000
/** A job that was leased this often without being finished fails. */
export const MAX_ATTEMPTS = 20
/** A document that ends its converter each time must not keep others from it. */
export const MAX_CONVERSION_ATTEMPTS = 5
/** A free job that no worker takes within this time is logged. */
export const UNTAKEN_WARNING_MS = 5_000
/** Workers request jobs every 30 s: one without a request for this long is considered gone. */
export const WORKER_TIMEOUT_MS = 90_000
/** How often the store learns that a worker is active. */
export const WORKER_RECORD_INTERVAL_MS = 20_000
export const ENDED_JOB_RETENTION_MS = 30 * 86_400_000
