import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = 'clock.json'
/** Changes with each start of a Linux system. */
const BOOT_ID = '/proc/sys/kernel/random/boot_id'

/** The clock of a job: the difference between Unix time and the time since the system was started. */
interface StoredClock {
  bootId: string
  offsetMs: number
}

/** When this process was started, by the clock of the system that is never set and that all its processes share. */
const processStartedMs = Number(process.hrtime.bigint()) / 1e6 - performance.now()
const sinceSystemStartMs = () => processStartedMs + performance.now()

const offsetAt = (unixMs: number) => unixMs - sinceSystemStartMs()

let offsetMs = offsetAt(Date.now())

/** Unix milliseconds with fractions, monotonic: what happens to the system clock while jobs run has no effect. */
export const nowMs = () => offsetMs + sinceSystemStartMs()

/**
 * Prepares the clock for a job with that folder. The first of several (`isFirst`) sets it: a new job begins by the system
 * clock, and one that another process has begun goes on by its clock, so that its time has neither a gap nor an overlap
 * when the system clock has been set in between.
 */
export async function beginClock(folder: string, isFirst: boolean): Promise<void> {
  const bootId = await readFile(BOOT_ID, 'utf8').catch(() => '')
  if (isFirst) offsetMs = (await storedOffset(folder, bootId)) ?? offsetAt(await notBefore(folder))
  const stored: StoredClock = { bootId, offsetMs }
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, FILE), JSON.stringify(stored))
  } catch {
    // The disk is full: the next process takes the system clock.
  }
}

/** Null for another start of the system, whose clock has another beginning, and for a new job. */
async function storedOffset(folder: string, bootId: string): Promise<number | null> {
  try {
    const stored = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as StoredClock
    return bootId !== '' && stored.bootId === bootId ? stored.offsetMs : null
  } catch {
    return null
  }
}

/** The system clock, or the last change of the folder if that is later: some machines forget the time without power. */
const notBefore = async (folder: string): Promise<number> =>
  Math.max(Date.now(), await lastModifiedMs(folder).catch(() => 0))

/** The latest modification of any file in the folder. */
export async function lastModifiedMs(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const stats = await Promise.all(['', ...names].map(name => stat(join(folder, name))))
  return Math.max(...stats.map(({ mtimeMs }) => mtimeMs))
}
