import { interruptibleSleep } from '@lectern/common'
import { isDiskFull } from '@lectern/worker-kit'
import type { BoardPictures } from '../board/board-pictures.ts'
import type { GrowingStrokes } from '../board/growing-strokes.ts'
import type { Capture } from '../capture/capture.ts'
import type { DiskSpace } from '../capture/disk-space.ts'
import { nowMs } from '../clock/now.ts'
import type { ReportLog } from '../report/report-log.ts'
import type { AttendanceLog } from '../session/attendance-log.ts'
import type { PresenceHistory } from '../session/presence-history.ts'
import type { Tracks } from '../tracks/tracks.ts'
import { Composer } from './composer.ts'
import type { Ffmpeg } from './ffmpeg.ts'

const POLL_INTERVAL_MS = 500
const RETRY_AFTER_MS = 5_000

/** After the call, a chunk in progress at low priority gets this long before it is restarted at normal priority. */
const LIVE_CHUNK_TIMEOUT_MS = 1500

interface CompositionParts {
  /** Folder of the chunks. */
  folder: string
  startedAtMs: number
  tracks: Tracks
  presence: PresenceHistory
  board: BoardPictures
  strokes: GrowingStrokes
  disk: DiskSpace
  ffmpeg: Ffmpeg
  handover: AbortSignal
  reportLog: ReportLog
}

/** Schedules composition: chunk by chunk during the call, and the remainder afterwards. */
export class CompositionScheduler {
  #composer: Composer | null = null
  readonly #parts: CompositionParts

  constructor(parts: CompositionParts) {
    this.#parts = parts
  }

  /** Composes each chunk as soon as its media is final, until capture ends. */
  async composeLive(capture: Capture, attendance: AttendanceLog, captureEnded: AbortSignal) {
    const { handover, disk, reportLog, strokes } = this.#parts
    const late = new AbortController()
    captureEnded.addEventListener('abort', () =>
      setTimeout(() => late.abort(), LIVE_CHUNK_TIMEOUT_MS).unref(),
    )
    const signal = AbortSignal.any([handover, late.signal])
    // One for all pauses: a signal remembers every signal that was ever derived from it.
    const interrupted = AbortSignal.any([signal, captureEnded])
    const pause = (ms: number) => interruptibleSleep(ms, interrupted)
    while (!captureEnded.aborted && !signal.aborted) {
      try {
        const composer = await this.#open()
        const untilMs = await capture.flush()
        const { videoCount: videos } = capture
        const drawnUntilMs = strokes.sinceMs(nowMs())
        const available = {
          ...{ untilMs, drawnUntilMs, endMs: attendance.emptySinceMs, videos },
          ...{ isLive: true, signal },
        }
        if (disk.hasSpace && (await composer.composeNext(available))) continue
      } catch (err) {
        if (signal.aborted) return
        reportLog.add('compose_failed', { error: String(err) })
        if (!isDiskFull(err)) await pause(RETRY_AFTER_MS)
      }
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** Composes the remaining chunks of a recording that ended then. */
  async composeRemaining(endMs: number): Promise<Composer> {
    const composer = await this.#open()
    const { handover: signal } = this.#parts
    const untilMs = Number.POSITIVE_INFINITY
    const available = { untilMs, drawnUntilMs: untilMs, endMs, videos: 0, isLive: false, signal }
    while (await composer.composeNext(available));
    await composer.readRemaining()
    return composer
  }

  async #open(): Promise<Composer> {
    const { folder, startedAtMs, tracks, presence, board, ffmpeg, reportLog } = this.#parts
    this.#composer ??= await Composer.open({
      folder,
      startedAtMs,
      tracks,
      presence,
      board,
      ffmpeg,
      failed: (what, err) => reportLog.add('compose_failed', { what, error: String(err) }),
    })
    return this.#composer
  }
}
