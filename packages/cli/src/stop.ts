const STOP_TIMEOUT_MS = 15_000

/** Signals closer than this count as one: a terminal and npx both forward the same Ctrl+C. */
const DUPLICATE_SIGNAL_MS = 500

/**
 * Resolves on SIGTERM or SIGINT. The process MUST exit within 15 s; after that, or on a second signal, it exits
 * immediately with code 1.
 */
export function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    let stopRequestedAt: number | undefined
    const stop = () => {
      if (stopRequestedAt === undefined) {
        stopRequestedAt = performance.now()
        setTimeout(() => process.exit(1), STOP_TIMEOUT_MS)
        resolve()
      } else if (performance.now() - stopRequestedAt > DUPLICATE_SIGNAL_MS) process.exit(1)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
