import { setTimeout as sleep } from 'node:timers/promises'

const SOONEST_MS = 1_000
const LATEST_MS = 5_000

/** Whether something went wrong because a disk, or the share of one, is full; also when a program tells it. */
export const isNoRoom = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException | null)?.code)) ||
  /no space left on|disk quota exceeded/i.test(String(error))

/**
 * Repeats what finds no room on the disk until there is some, however long that takes. Rejects with whatever else
 * goes wrong, and with the signal's reason. `full` is called once, when there was none.
 */
export async function onceThereIsRoom<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  full: (error: unknown) => void = () => {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isNoRoom(error)) throw error
      if (attempt === 0) full(error)
    }
    await sleep(Math.min(SOONEST_MS * 2 ** attempt, LATEST_MS), null, { signal }).catch(() => {})
  }
}
