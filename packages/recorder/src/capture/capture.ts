import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingTrack, Size } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import { SharedClock } from '../clock/shared-clock.ts'
import { CapturedTrack } from './captured-track.ts'
import type { Disk } from './disk.ts'
import { JournalWriter } from './journal-writer.ts'

/** At most so much is lost when this process is killed, and so much when the power goes. */
const FLUSH_MS = 250
const SYNC_MS = 1000

/** A key frame is asked for this long before a chunk begins, so that it need not decode from far back. */
const BEFORE_CHUNK_MS = 500

interface CaptureParts {
  folder: string
  /** Names the files of this process among those of all attempts. */
  attempt: string
  disk: Disk
  startedAtMs: number
  chunkMs: number
  /** A track that cannot be captured. */
  failed: (track: IncomingTrack, err: unknown) => void
}

/** Writes every track to a journal of its own, as it arrives. */
export class Capture {
  readonly #tracks = new Map<string, CapturedTrack>()
  readonly #opening = new Set<Promise<void>>()
  readonly #clock = new SharedClock()
  readonly #timer: NodeJS.Timeout
  #count = 0
  #syncedAtMs = 0
  #askedFor = 0
  #cameraSize: Size | null = null

  private constructor(private readonly parts: CaptureParts) {
    this.#timer = setInterval(() => void this.#tick(), FLUSH_MS)
  }

  static async open(parts: CaptureParts) {
    await mkdir(parts.folder, { recursive: true })
    return new Capture(parts)
  }

  add(track: IncomingTrack) {
    // At once: a layer that is chosen later costs another key frame, and is seen only then.
    this.#show(track)
    const opening = this.#add(track)
      .catch(err => this.parts.failed(track, err))
      .finally(() => this.#opening.delete(opening))
    this.#opening.add(opening)
  }

  /** Of all who are to be seen. */
  requestKeyFrames() {
    for (const { track, isPaused } of this.#tracks.values())
      if (track.kind === 'video' && !isPaused) track.requestKeyFrame()
  }

  /** Whether somebody shares a screen right now. */
  get hasScreen() {
    return [...this.#tracks.values()].some(({ track, isPaused }) => track.source === 'screen' && !isPaused)
  }

  /** More of a camera than is shown would only be carried, written, decoded and thrown away. */
  showCamerasAs(size: Size) {
    this.#cameraSize = size
    for (const { track } of this.#tracks.values()) this.#show(track)
  }

  /** Whether something may still be written to it. */
  isOpen(file: string) {
    return this.#tracks.has(file)
  }

  /** The moment until which everything that arrived is in the journals. */
  async flush(): Promise<number> {
    const untilMs = nowMs()
    await Promise.all(this.#opening)
    await Promise.all([...this.#tracks.values()].map(track => track.flush()))
    return untilMs
  }

  async close() {
    clearInterval(this.#timer)
    await Promise.all(this.#opening)
    await Promise.all([...this.#tracks].map(([file, track]) => this.#close(file, track)))
  }

  #show(track: IncomingTrack) {
    if (this.#cameraSize && track.source === 'camera') track.showAs(this.#cameraSize)
  }

  async #add(track: IncomingTrack) {
    const file = `${this.parts.attempt}-${String(++this.#count).padStart(5, '0')}.rtp`
    const journal = await JournalWriter.create(join(this.parts.folder, file), this.parts.disk)
    this.#tracks.set(file, new CapturedTrack(track, journal, this.#clock))
  }

  async #tick() {
    const atMs = nowMs()
    const isTimeToSync = atMs - this.#syncedAtMs >= SYNC_MS
    if (isTimeToSync) this.#syncedAtMs = atMs
    const asks = this.#isTimeForKeyFrames(atMs)
    for (const [file, track] of this.#tracks) {
      if (track.track.kind === 'video' && !track.isPaused) {
        if (asks) track.track.requestKeyFrame()
        else track.mend(atMs)
      }
      await track.flush()
      if (isTimeToSync) await track.sync()
      if (track.hasEnded) await this.#close(file, track)
    }
  }

  async #close(file: string, track: CapturedTrack) {
    await track.close()
    this.#tracks.delete(file)
  }

  #isTimeForKeyFrames(atMs: number): boolean {
    const chunk = Math.floor((atMs + BEFORE_CHUNK_MS - this.parts.startedAtMs) / this.parts.chunkMs)
    if (chunk <= this.#askedFor) return false
    this.#askedFor = chunk
    return true
  }
}
