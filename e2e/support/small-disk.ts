import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const MIB = 1024 * 1024

/** Mounts, and unmounts when its standard input ends: also when this process is killed. */
const HOLD =
  'mount -t tmpfs -o "size=$2,mode=0700" lectern-e2e "$1" && echo done && read -r _; umount -l "$1"'

/** Makes disks of their own, small enough to be filled; they are gone after the tests of the file. Needs root. */
export function useSmallDisks(): (folder: string, mib: number) => Promise<SmallDisk> {
  const held: { leave: () => Promise<unknown> }[] = []
  afterAll(async () => {
    for (const { leave } of held.reverse()) await leave()
  })
  return async (folder, mib) => {
    mkdirSync(folder, { recursive: true })
    const holder = spawn('sh', ['-c', HOLD, 'hold', folder, `${mib}m`], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    const ended = once(holder, 'close')
    let complaint = ''
    holder.stderr.setEncoding('utf8').on('data', text => {
      complaint += text
    })
    if (await Promise.race([once(holder.stdout, 'data').then(() => false), ended.then(() => true)]))
      throw new Error(`A disk that can be filled cannot be mounted here; it takes root: ${complaint.trim()}`)
    held.push({
      leave: () => {
        holder.stdin.end()
        return ended
      },
    })
    return new SmallDisk(folder)
  }
}

/** A disk that something else than the service can fill. */
export class SmallDisk {
  readonly #folder: string
  readonly #filler: string

  constructor(folder: string) {
    this.#folder = folder
    this.#filler = join(folder, 'filler')
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }

  /** Until so much is free; without it, until the kernel says that nothing more fits. */
  fill(leaveMib = 0): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (const piece of [MIB, 1024]) {
        const bytes = Buffer.alloc(piece)
        while (this.freeBytes - piece >= leaveMib * MIB) writeSync(file, bytes)
      }
      while (leaveMib === 0) writeSync(file, Buffer.alloc(1024))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(file)
    }
  }

  clear(): void {
    rmSync(this.#filler, { force: true })
  }
}
