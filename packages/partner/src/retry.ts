import { LecternError } from './errors.ts'

/** The default delays between attempts (docs/partner-api.md#errors). */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 3_000, 10_000]

/** Longer delays that a server requests are left to the caller. */
const RETRY_AFTER_MAX_MS = 60_000

/** Retries until an attempt succeeds or fails permanently, or no delay is left. */
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
      const requestedMs = error.retryAfterMs ?? 0
      if (requestedMs > RETRY_AFTER_MAX_MS) throw error
      await sleep(Math.max(delayMs, requestedMs), signal)
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
