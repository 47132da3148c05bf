import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const MIB = 1024 * 1024

/** Mounts, and unmounts when its standard input ends: also when this process is killed. */
const HOLD =
  'mount -t tmpfs -o "size=$2,mode=0700" lectern-e2e "$1" || exit 1; echo done; read -r _; umount -l "$1"'

/** Makes disks of their own, small enough to be filled; they are gone after the tests of the file. Needs root. */
export function useSmallDisks(): (folder: string, mib: number) => Promise<SmallDisk> {
  const closers: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })
  return async (folder, mib) => {
    const unmount = await mount(folder, mib)
    const disk = new SmallDisk(folder)
    closers.push(() => {
      disk.close()
      return unmount()
    })
    return disk
  }
}

/** Gives what undoes it. */
async function mount(folder: string, mib: number): Promise<() => Promise<unknown>> {
  mkdirSync(folder, { recursive: true })
  const holder = spawn('sh', ['-c', HOLD, 'hold', folder, `${mib}m`], { detached: true })
  const ended = once(holder, 'close')
  let complaint = ''
  holder.stderr.setEncoding('utf8').on('data', text => {
    complaint += text
  })
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ])
  if (!isMounted)
    throw new Error(`A disk that can be filled cannot be mounted here; it takes root: ${complaint.trim()}`)
  return () => {
    holder.stdin.end()
    return ended
  }
}

/** What else writes to a full disk takes what others leave. */
const FULL_AGAIN_EVERY_MS = 20

/** A disk that something else than the service can fill. */
class SmallDisk {
  readonly #folder: string
  /** Open for as long as the disk is there: no mistake of a test makes this file grow on another disk. */
  readonly #filler: number
  #keeping: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#filler = openSync(join(folder, 'filler'), 'a')
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }

  /** Until so much is free; more is at no moment. */
  leave(mib: number): void {
    this.#letGo()
    const missing = mib * MIB - this.freeBytes
    if (missing > 0) ftruncateSync(this.#filler, Math.max(0, fstatSync(this.#filler).size - missing))
    while (this.freeBytes >= (mib + 1) * MIB) writeSync(this.#filler, Buffer.alloc(MIB))
  }

  /** Until the kernel says that nothing more fits, and so it stays. */
  fill(): void {
    this.#fill()
    this.#keeping ??= setInterval(() => this.#fill(), FULL_AGAIN_EVERY_MS)
  }

  clear(): void {
    this.#letGo()
    ftruncateSync(this.#filler)
  }

  close(): void {
    this.clear()
    closeSync(this.#filler)
  }

  #letGo(): void {
    clearInterval(this.#keeping)
    this.#keeping = undefined
  }

  #fill(): void {
    try {
      for (const piece = Buffer.alloc(MIB); ; ) writeSync(this.#filler, piece)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
