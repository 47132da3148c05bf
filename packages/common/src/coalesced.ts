/**
 * Coalesces calls: a call while `work` is running makes it run once more afterwards. The promise resolves when no run
 * is pending. `work` must not reject.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let isRequested = false
  let running: Promise<void> | null = null
  const run = async () => {
    while (isRequested) {
      isRequested = false
      await work()
    }
    running = null
  }
  return () => {
    isRequested = true
    running ??= run()
    return running
  }
}
