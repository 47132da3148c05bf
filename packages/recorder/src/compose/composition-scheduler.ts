import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDiskFull } from '@lectern/worker-kit'
import type { Capture } from '../capture/capture.ts'
import type { Recording } from '../recording.ts'
import type { AttendanceLog } from '../session/attendance-log.ts'
import { Composer } from './composer.ts'
import type { Ffmpeg } from './ffmpeg.ts'

const POLL_INTERVAL_MS = 500
const RETRY_AFTER_MS = 5_000

/** After the call, a chunk in progress at low priority gets this long before it is restarted at normal priority. */
const LIVE_CHUNK_TIMEOUT_MS = 1500

/** Schedules composition: chunk by chunk during the call, and the remainder afterwards. */
export class CompositionScheduler {
  #composer: Composer | null = null

  constructor(
    private readonly recording: Recording,
    private readonly ffmpeg: Ffmpeg,
  ) {}

  /** Composes each chunk as soon as its media is final, until capture ends. */
  async composeLive(capture: Capture, attendance: AttendanceLog, captureEnded: AbortSignal) {
    const { recording } = this
    const late = new AbortController()
    captureEnded.addEventListener('abort', () =>
      setTimeout(() => late.abort(), LIVE_CHUNK_TIMEOUT_MS).unref(),
    )
    const signal = AbortSignal.any([recording.handover, late.signal])
    const pause = (ms: number) =>
      sleep(ms, null, { signal: AbortSignal.any([signal, captureEnded]) }).catch(() => {})
    while (!captureEnded.aborted && !signal.aborted) {
      try {
        const composer = await this.#open()
        const untilMs = await capture.flush()
        const available = { untilMs, endMs: attendance.emptySinceMs, isLive: true, signal }
        if (recording.disk.hasRoom && (await composer.composeNext(available))) continue
      } catch (err) {
        if (signal.aborted) return
        recording.logEvent('compose_failed', { error: String(err) })
        if (!isDiskFull(err)) await pause(RETRY_AFTER_MS)
      }
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** Composes the remaining chunks. */
  async composeRemaining(): Promise<Composer> {
    const { endMs, handover } = this.recording
    const composer = await this.#open()
    const available = { untilMs: Number.POSITIVE_INFINITY, endMs, isLive: false, signal: handover }
    while (await composer.composeNext(available));
    await composer.readRemaining()
    return composer
  }

  async #open(): Promise<Composer> {
    const { recording, ffmpeg } = this
    this.#composer ??= await Composer.open({
      folder: join(recording.folder, 'chunks'),
      startedAtMs: recording.state.startedAtMs,
      tracks: recording.tracks,
      people: () => recording.attendance(),
      ffmpeg,
      failed: (what, err) => recording.logEvent('compose_failed', { what, error: String(err) }),
    })
    return this.#composer
  }
}
