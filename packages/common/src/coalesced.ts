/** Work that takes long because it waits for somebody is not put off by as much. */
const REST_MAX_MS = 1_000

/**
 * Coalesces calls: a call while `work` is running makes it run once more afterwards. The promise resolves when no run
 * is pending. `work` must not reject. `share`: the part of the time that runs may take, however often they are requested:
 * they rest in between for as long as that needs, a second at most.
 */
export function coalesced(work: () => Promise<void>, { share = 1 } = {}): () => Promise<void> {
  let isRequested = false
  let running: Promise<void> | null = null
  let restsUntil = 0
  const run = async () => {
    while (isRequested) {
      const restMs = restsUntil - performance.now()
      if (restMs > 0) await new Promise(resolve => setTimeout(resolve, restMs))
      isRequested = false
      const from = performance.now()
      await work()
      const to = performance.now()
      if (share < 1) restsUntil = to + Math.min(REST_MAX_MS, (to - from) * (1 / share - 1))
    }
    running = null
  }
  return () => {
    isRequested = true
    running ??= run()
    return running
  }
}
