export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Resolves after `ms`, or as soon as the signal aborts. It never rejects. */
export function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

/** Settles like `work`, but rejects with the error when that takes longer. The work itself continues. */
export async function withTimeout<T>(work: Promise<T>, ms: number, makeError: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(makeError()), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

interface PollOptions {
  intervalMs: number
  /** The interval grows with the time that has passed, to a tenth of it, but not beyond this. Absent: it is constant. */
  maxIntervalMs?: number
  timeoutMs: number
}

/** Calls `poll` until it returns something truthy, and returns that; null after the timeout. */
export async function pollUntil<T>(
  poll: () => T | Promise<T>,
  { intervalMs, maxIntervalMs = intervalMs, timeoutMs }: PollOptions,
): Promise<NonNullable<T> | null> {
  const start = performance.now()
  for (;;) {
    const result = await poll()
    if (result) return result
    const elapsedMs = performance.now() - start
    if (elapsedMs >= timeoutMs) return null
    const ms = Math.max(intervalMs, Math.min(elapsedMs / 10, maxIntervalMs))
    await sleep(ms)
  }
}
