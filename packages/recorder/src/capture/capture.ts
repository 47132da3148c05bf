import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { coalesced } from '@lectern/common'
import type { IncomingTrack, Size } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import { SenderClock } from '../clock/shared-clock.ts'
import { CapturedTrack } from './captured-track.ts'
import type { DiskSpace } from './disk-space.ts'
import { JournalWriter } from './journal-writer.ts'

/** Maximum loss when the process is killed, and on power failure. */
const FLUSH_INTERVAL_MS = 250
const SYNC_INTERVAL_MS = 1000

/** Key frames are requested this long before a chunk may begin, so that decoding it starts nearby. */
const KEY_FRAME_LEAD_MS = 500

interface CaptureParts {
  folder: string
  /** File name prefix that is unique per attempt. */
  attempt: string
  disk: DiskSpace
  /** Gets the names of the journals that are being written. */
  openJournals: Set<string>
  startedAtMs: number
  keyFrameIntervalMs: number
  /** Called for a track that cannot be captured. */
  failed: (track: IncomingTrack, err: unknown) => void
}

/** Writes every incoming track to a journal of its own. */
export class Capture {
  readonly #tracks = new Map<string, CapturedTrack>()
  readonly #opening = new Set<Promise<void>>()
  readonly #clock = new SenderClock()
  readonly #timers: NodeJS.Timeout[]
  #count = 0
  #lastInterval = 0
  #cameraSizeOf: ((participantId: string) => Size) | null = null
  readonly #parts: CaptureParts

  private constructor(parts: CaptureParts) {
    this.#parts = parts
    // Neither begins again before it has ended: on a slow disk, requests would wait behind more and more of their kind.
    this.#timers = [
      setInterval(
        coalesced(() => this.#tick()),
        FLUSH_INTERVAL_MS,
      ),
      setInterval(
        coalesced(() => this.#sync()),
        SYNC_INTERVAL_MS,
      ),
    ]
  }

  static async open(parts: CaptureParts) {
    await mkdir(parts.folder, { recursive: true })
    return new Capture(parts)
  }

  add(track: IncomingTrack) {
    // Immediately: switching layers later costs another key frame.
    this.#applyCameraSize(track)
    const opening = this.#add(track)
      .catch(err => this.#parts.failed(track, err))
      .finally(() => this.#opening.delete(opening))
    this.#opening.add(opening)
  }

  /** Requests key frames of all active video tracks. */
  requestKeyFrames() {
    for (const each of this.#tracks.values())
      if (each.track.kind === 'video' && !each.isPaused) each.requestKeyFrame()
  }

  /** Whether a screen is being shared. */
  get hasScreen() {
    return [...this.#tracks.values()].some(({ track, isPaused }) => track.source === 'screen' && !isPaused)
  }

  /** Cameras and screens that are being sent. */
  get videoCount() {
    return [...this.#tracks.values()].filter(({ track, isPaused }) => track.kind === 'video' && !isPaused)
      .length
  }

  /** Limits camera resolution to the displayed size, which saves bandwidth, disk and decoding. */
  setCameraSizes(sizeOf: (participantId: string) => Size) {
    this.#cameraSizeOf = sizeOf
    for (const { track } of this.#tracks.values()) this.#applyCameraSize(track)
  }

  /** Flushes; returns the time until which everything that arrived is in the journals. */
  async flush(): Promise<number> {
    const untilMs = nowMs()
    await Promise.all(this.#opening)
    await Promise.all([...this.#tracks.values()].map(track => track.flush()))
    return untilMs
  }

  async close() {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#opening)
    await Promise.all([...this.#tracks].map(([file, track]) => this.#close(file, track)))
  }

  #applyCameraSize(track: IncomingTrack) {
    if (this.#cameraSizeOf && track.source === 'camera')
      track.setDisplaySize(this.#cameraSizeOf(track.participantId))
  }

  async #add(track: IncomingTrack) {
    const file = `${this.#parts.attempt}-${String(++this.#count).padStart(5, '0')}.rtp`
    const journal = await JournalWriter.create(join(this.#parts.folder, file), this.#parts.disk)
    this.#tracks.set(file, new CapturedTrack(track, journal, this.#clock))
    this.#parts.openJournals.add(file)
  }

  async #tick() {
    const atMs = nowMs()
    const isKeyFrameDue = this.#isTimeForKeyFrames(atMs)
    for (const [file, each] of this.#tracks) {
      if (each.track.kind === 'video' && !each.isPaused) {
        if (isKeyFrameDue) each.requestKeyFrame()
        else each.requestKeyFrameIfNeeded(atMs)
      }
      await each.flush()
      if (each.hasEnded) await this.#close(file, each).catch(err => this.#parts.failed(each.track, err))
    }
  }

  /** One after the other, while others are written. */
  async #sync() {
    for (const each of [...this.#tracks.values()]) await each.sync()
  }

  async #close(file: string, track: CapturedTrack) {
    await track.close()
    this.#tracks.delete(file)
    this.#parts.openJournals.delete(file)
  }

  #isTimeForKeyFrames(atMs: number): boolean {
    const { startedAtMs, keyFrameIntervalMs } = this.#parts
    const interval = Math.floor((atMs + KEY_FRAME_LEAD_MS - startedAtMs) / keyFrameIntervalMs)
    if (interval <= this.#lastInterval) return false
    this.#lastInterval = interval
    return true
  }
}
