const CLOSE_WITHIN_MS = 15_000

/** Two signals closer than this are one wish: a terminal and npx each pass on the same Ctrl+C. */
const SAME_WISH_MS = 500

/**
 * Resolves when SIGTERM or SIGINT asks the process to stop. It then has to be gone in 15 s; past them, or at a
 * second signal, it leaves at once with exit code 1.
 */
export function untilStopped(): Promise<void> {
  return new Promise(resolve => {
    let askedAt: number | undefined
    const stop = () => {
      if (askedAt === undefined) {
        askedAt = performance.now()
        setTimeout(() => process.exit(1), CLOSE_WITHIN_MS)
        resolve()
      } else if (performance.now() - askedAt > SAME_WISH_MS) process.exit(1)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
  })
}
