/** Work that is asked for while it is under way is done once more afterwards. It must not reject. */
export function oneAtATime(work: () => Promise<void>): () => void {
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
