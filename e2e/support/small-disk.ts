import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const MIB = 1024 * 1024

/** Mounts, and unmounts when its standard input closes, even if this process is killed. */
const MOUNT_SCRIPT =
  'mount -t tmpfs -o "size=$2,mode=0700" lectern-e2e "$1" || exit 1; echo done; read -r _; umount -l "$1"'

/** Creates small disks that can be filled, which are unmounted after the tests of a file. Needs root. */
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

/** Returns a function that unmounts it. */
async function mount(folder: string, mib: number): Promise<() => Promise<unknown>> {
  mkdirSync(folder, { recursive: true })
  const holder = spawn('sh', ['-c', MOUNT_SCRIPT, 'mount', folder, `${mib}m`], { detached: true })
  const ended = once(holder, 'close')
  let errorOutput = ''
  holder.stderr.setEncoding('utf8').on('data', text => {
    errorOutput += text
  })
  const isMounted = await Promise.race([
    once(holder.stdout, 'data').then(() => true),
    ended.then(() => false),
  ])
  if (!isMounted) throw new Error(`Cannot mount a small disk, which needs root: ${errorOutput.trim()}`)
  return () => {
    holder.stdin.end()
    return ended
  }
}

/** Keeps the disk full when files are deleted. */
const REFILL_INTERVAL_MS = 20

/** A disk that a test fills. */
class SmallDisk {
  readonly #folder: string
  /** Stays open while the disk is mounted, so that the file can never grow on another disk. */
  readonly #filler: number
  #fillTimer: NodeJS.Timeout | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#filler = openSync(join(folder, 'filler'), 'a')
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }

  /** Fills the disk except for the given space. */
  fillExcept(mib: number): void {
    this.#stopFilling()
    const missing = mib * MIB - this.freeBytes
    if (missing > 0) ftruncateSync(this.#filler, Math.max(0, fstatSync(this.#filler).size - missing))
    while (this.freeBytes >= (mib + 1) * MIB) writeSync(this.#filler, Buffer.alloc(MIB))
  }

  /** Fills the disk completely, and keeps it full. */
  fill(): void {
    this.#fill()
    this.#fillTimer ??= setInterval(() => this.#fill(), REFILL_INTERVAL_MS)
  }

  clear(): void {
    this.#stopFilling()
    ftruncateSync(this.#filler)
  }

  close(): void {
    this.clear()
    closeSync(this.#filler)
  }

  #stopFilling(): void {
    clearInterval(this.#fillTimer)
    this.#fillTimer = undefined
  }

  #fill(): void {
    try {
      for (const piece = Buffer.alloc(MIB); ; ) writeSync(this.#filler, piece)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
