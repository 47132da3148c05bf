import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** What waits for room tries again at least so often: room comes when somebody has made some, not by itself. */
export const WITHOUT_ROOM_MAX_MS = 10_000
/** What is tried here writes little. */
const TRY_EVERY_MS = 500
const LOOK_EVERY_MS = 2_000
/** So much more is somebody's doing. */
const MORE_BYTES = 16 * 1024 * 1024

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
    await sleep(TRY_EVERY_MS, null, { signal }).catch(() => {})
  }
}

/** Resolves soon after somebody has made room on the disk of the folder, or after the time. */
export async function moreRoom(folder: string, withinMs: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + withinMs
  const enough = (await freeBytes(folder)) + MORE_BYTES
  do {
    await sleep(Math.min(LOOK_EVERY_MS, withinMs), null, { signal })
  } while (performance.now() < until && (await freeBytes(folder)) < enough)
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
