/** Runs one piece of work after another. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

/** Across all tabs where the browser supports locks, else within this tab. */
export function createRunExclusive(name: string, locks: LockManager | undefined): RunExclusive {
  let last: Promise<unknown> = Promise.resolve()
  const withinTab: RunExclusive = work => {
    const run = last.then(work)
    last = run.catch(() => {})
    return run
  }
  if (!locks) return withinTab

  return async work => {
    let began = false
    const marked = () => {
      began = true
      return work()
    }
    try {
      return await locks.request(name, marked)
    } catch (error) {
      // A browser that blocks storage may refuse locks, too.
      if (began) throw error
      return withinTab(work)
    }
  }
}
