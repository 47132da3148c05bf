import { statfs } from 'node:fs/promises'

/** Pause after a failed write. */
const RETRY_AFTER_MS = 1000

/** Capture resumes only above the reserve by this factor, because composing uses space temporarily. */
const RESUME_FACTOR = 1.1

/**
 * Monitors free disk space for capture. A reserve is left free so that the recording can still be composed and uploaded.
 */
export class DiskSpace {
  #hasSpace = true
  #failedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly folder: string,
    public reserveBytes: number,
    /** Called when capture stops and resumes. */
    private readonly changed: (hasSpace: boolean, freeBytes: number | null) => void,
  ) {}

  get hasRoom() {
    return this.#hasSpace
  }

  /** Call about every second. */
  async check() {
    const { bavail, bsize } = await statfs(this.folder)
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

  #set(hasRoom: boolean, free: number | null) {
    if (hasRoom === this.#hasSpace) return
    this.#hasSpace = hasRoom
    this.changed(hasRoom, free)
  }
}
