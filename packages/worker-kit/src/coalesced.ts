/** Coalesces calls: a call while work is running makes it run once more afterwards. Work must not reject. */
export function coalesced(work: () => Promise<void>): () => void {
  let isWanted = false
  let isWorking = false
  const run = async () => {
    isWorking = true
    while (isWanted) {
      isWanted = false
      await work()
    }
    isWorking = false
  }
  return () => {
    isWanted = true
    if (!isWorking) void run()
  }
}
