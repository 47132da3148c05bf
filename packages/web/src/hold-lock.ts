/**
 * Holds a lock that all tabs of this browser share until the promise settles, or the tab is closed. False: another tab has
 * it, or had it until the time of the signal. True also where the browser has no locks, or blocks them with its storage.
 */
export function holdLock(
  locks: Pick<LockManager, 'request'> | undefined,
  name: string,
  options: Pick<LockOptions, 'ifAvailable' | 'signal'>,
  until: Promise<unknown>,
): Promise<boolean> {
  if (!locks) return Promise.resolve(true)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const hold = (lock: Lock | null) => {
    resolve(lock !== null)
    return lock ? until : undefined
  }
  locks.request(name, options, hold).catch((error: DOMException) => resolve(error.name !== 'TimeoutError'))
  return promise
}
