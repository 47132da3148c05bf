import { Mutex } from '@lectern/common'

/** Runs one piece of work after another. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

/** Across all tabs where the browser supports locks, else within this tab. */
export function createRunExclusive(name: string, locks: LockManager | undefined): RunExclusive {
  const mutex = new Mutex()
  const withinTab: RunExclusive = work => mutex.run(work)
  if (!locks) return withinTab

  return async work => {
    let hasStarted = false
    const workOnce = () => {
      hasStarted = true
      return work()
    }
    try {
      return await locks.request(name, workOnce)
    } catch (error) {
      // A browser that blocks storage may refuse locks, too.
      if (hasStarted) throw error
      return withinTab(work)
    }
  }
}
