import { statfs } from 'node:fs/promises'
import { interruptibleSleep } from '@lectern/common'

/** Longest wait between retries while a disk is full: space appears when somebody frees it. */
export const DISK_FULL_RETRY_MAX_MS = 10_000
/** The retried writes are small. */
const RETRY_INTERVAL_MS = 500
const CHECK_INTERVAL_MS = 2_000
/** This much more free space means that somebody has made room. */
const FREED_BYTES = 16 * 1024 * 1024

/** Whether an error means that a disk or quota is full, including the error output of programs. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as NodeJS.ErrnoException | null)?.code)) ||
  /no space left on|disk quota exceeded/i.test(String(error))

/**
 * Retries work while the disk is full, without a time limit. Rejects with any other error, or with the signal's reason.
 * `full` is called once, on the first failure.
 */
export async function retryWhileDiskFull<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  full: (error: unknown) => void = () => {},
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      if (attempt === 0) full(error)
    }
    await interruptibleSleep(RETRY_INTERVAL_MS, signal)
  }
}

/** Resolves soon after space on the disk of the folder was freed, or after the timeout. */
export async function waitForDiskSpace(
  folder: string,
  withinMs: number,
  signal: AbortSignal,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<void> {
  const until = performance.now() + withinMs
  const enough = (await freeBytes(folder)) + FREED_BYTES
  do {
    await interruptibleSleep(Math.min(CHECK_INTERVAL_MS, withinMs), signal)
    signal.throwIfAborted()
  } while (performance.now() < until && (await freeBytes(folder)) < enough)
}

/** Free space on the disk of the folder, for users without privileges. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
