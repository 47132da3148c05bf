import { statfs } from 'node:fs/promises'
import { Emitter } from '@lectern/common'

/** Pause after a failed write. */
const RETRY_AFTER_MS = 1000

/** Capture resumes only above the reserve by this factor, because composing uses space temporarily. */
const RESUME_FACTOR = 1.1

/**
 * Monitors free disk space for capture. A reserve is left free so that the recording can still be composed and uploaded.
 */
export class DiskSpace {
  readonly #changed = new Emitter<{ hasSpace: boolean; freeBytes: number | null }>()
  #hasSpace = true
  #failedAtMs = Number.NEGATIVE_INFINITY
  readonly #folder: string
  reserveBytes: number

  constructor(folder: string, reserveBytes: number) {
    this.#folder = folder
    this.reserveBytes = reserveBytes
  }

  /** Capture must stop, or may resume. `freeBytes` is null after a failed write. */
  readonly onChange = this.#changed.on

  get hasSpace() {
    return this.#hasSpace
  }

  /** Call about every second. */
  async check() {
    const { bavail, bsize } = await statfs(this.#folder)
    const free = bavail * bsize
    if (free < this.reserveBytes) this.#set(false, free)
    else if (
      free >= this.reserveBytes * RESUME_FACTOR &&
      performance.now() - this.#failedAtMs >= RETRY_AFTER_MS
    )
      this.#set(true, free)
  }

  /** Reports a failed write. */
  writeFailed() {
    this.#failedAtMs = performance.now()
    this.#set(false, null)
  }

  #set(hasSpace: boolean, freeBytes: number | null) {
    if (hasSpace === this.#hasSpace) return
    this.#hasSpace = hasSpace
    this.#changed.emit({ hasSpace, freeBytes })
  }
}
