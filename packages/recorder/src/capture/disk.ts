import { statfs } from 'node:fs/promises'

/** How long after a failed write none is tried. */
const PAUSE_MS = 1000

/** So much more than the reserve has to be free before capture goes on: what is composed comes and goes. */
const AGAIN_AT = 1.1

/**
 * Whether there is room for what is captured. Capture leaves a reserve: with it the end of the recording can
 * still be composed and uploaded.
 */
export class Disk {
  #hasRoom = true
  #failedAtMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly folder: string,
    public reserveBytes: number,
    /** Told when writing stops and when it goes on. */
    private readonly changed: (hasRoom: boolean, freeBytes: number | null) => void,
  ) {}

  get hasRoom() {
    return this.#hasRoom
  }

  /** To be called every second or so. */
  async look() {
    const { bavail, bsize } = await statfs(this.folder)
    const free = bavail * bsize
    if (free < this.reserveBytes) this.#set(false, free)
    else if (free >= this.reserveBytes * AGAIN_AT && performance.now() - this.#failedAtMs >= PAUSE_MS)
      this.#set(true, free)
  }

  /** A write failed. */
  failed() {
    this.#failedAtMs = performance.now()
    this.#set(false, null)
  }

  #set(hasRoom: boolean, free: number | null) {
    if (hasRoom === this.#hasRoom) return
    this.#hasRoom = hasRoom
    this.changed(hasRoom, free)
  }
}
