import { LecternError } from './errors.ts'

/** Waits between attempts, after which the failure is the caller's (docs/partner-api.md#errors). */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 3_000, 10_000]

/** A server that asks for a longer pause is not waited for here: that is a matter for the caller's queue. */
const LONGEST_PAUSE_MS = 60_000

/** Makes attempts until one succeeds, one fails for good, or the delays are used up. */
export async function retry<T>(
  delaysMs: readonly number[],
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LecternError && error.retryable)) throw error
      const pauseMs = Math.max(delayMs, error.retryAfterMs ?? 0)
      if (pauseMs > LONGEST_PAUSE_MS) throw error
      await sleep(pauseMs, signal)
    }
  }
  return attempt()
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
