interface BackoffOptions {
  firstMs: number
  maxMs: number
  /** Share of the delay that is random: 0 is none, 1 is full jitter. */
  jitter?: number
  random?: () => number
}

/** Exponential back-off: the delay before retry `attempt`, counted from 0. It doubles with each attempt, up to `maxMs`. */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs, jitter = 0, random = Math.random }: BackoffOptions,
): number {
  const delayMs = Math.min(firstMs * 2 ** attempt, maxMs)
  return jitter > 0 ? delayMs * (1 - jitter + jitter * random()) : delayMs
}
