import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HeldJob, retryWhileDiskFull } from '@lectern/worker-kit'
import { Capture } from './capture/capture.ts'
import { TRACKS } from './capture/captured.ts'
import { DiskSpace } from './capture/disk-space.ts'
import { nowMs } from './clock/now.ts'
import { CHUNK_FRAMES } from './compose/chunks.ts'
import type { Composer } from './compose/composer.ts'
import { CompositionScheduler } from './compose/composition-scheduler.ts'
import { cameraTileSize } from './compose/layout.ts'
import { FRAME_MS } from './compose/video-format.ts'
import type { RecorderOptions } from './options.ts'
import { Attendance } from './session/attendance.ts'
import { AttendanceLog } from './session/attendance-log.ts'
import { LogFile, readLog } from './session/log-file.ts'
import { recordingEnd, untilSessionEnds } from './session/session-end.ts'
import { type RecordingState, readState, writeState } from './state.ts'
import { Tracks } from './tracks/tracks.ts'

/** A recording on disk, captured and composed at the same time. Every attempt of the job resumes it. */
export class Recording {
  readonly journal: LogFile
  readonly #events: LogFile
  readonly tracks: Tracks
  readonly disk: DiskSpace
  /** Aborted when another process or worker takes the recording over. */
  readonly handover: AbortSignal
  readonly #composing: CompositionScheduler
  #capture: Capture | null = null

  private constructor(
    private readonly held: HeldJob,
    private readonly options: RecorderOptions,
    readonly state: RecordingState,
  ) {
    this.journal = new LogFile(join(held.folder, 'report.jsonl'))
    this.#events = new LogFile(join(held.folder, 'events.jsonl'))
    this.tracks = new Tracks(this.#trackFolder, file => this.#capture?.isOpen(file) ?? false)
    this.#composing = new CompositionScheduler(this, options.ffmpeg)
    this.handover = AbortSignal.any([held.drain, jobLost(held.stop)])
    this.disk = new DiskSpace(held.folder, options.reserveBytes, (hasSpace, freeBytes) => {
      this.logEvent(hasSpace ? 'disk_has_room' : 'disk_full', { free_bytes: freeBytes })
      if (!this.#capture) return
      held.progress({ active: hasSpace })
      if (hasSpace) this.#capture.requestKeyFrames()
    })
  }

  static async open(held: HeldJob, options: RecorderOptions): Promise<Recording> {
    const before = await readState(held.folder)
    const state = before ?? { startedAtMs: Math.floor(nowMs()), attempts: 0, end: null }
    state.attempts += 1
    const recording = new Recording(held, options, state)
    await recording.#retryWhileDiskFull(async () => {
      await writeState(held.folder, state)
      await mkdir(recording.#trackFolder, { recursive: true })
    })
    recording.logEvent('attempt', {
      attempt: held.job.attempt,
      recorder: options.version,
      node: process.version,
    })
    return recording
  }

  get #trackFolder() {
    return join(this.held.folder, TRACKS)
  }

  get folder() {
    return this.held.folder
  }

  get outputFolder() {
    return join(this.folder, 'output')
  }

  get job() {
    return this.held.job
  }

  /** End of the capture, or now while it runs. */
  get endMs() {
    return this.state.end?.atMs ?? nowMs()
  }

  attendance() {
    return new Attendance(readLog(this.#events.file))
  }

  /** Logs an event to the report and to the process log. */
  logEvent(name: string, body: Record<string, unknown>) {
    this.journal.add(name, body)
    const isWarning = ['disk_full', 'failed', 'compose_failed', 'track_failed'].includes(name)
    this.options.log[isWarning ? 'warn' : 'info']({ job_id: this.held.job.job_id, ...body }, name)
  }

  /** Captures until the session ends or the job must stop; with `composes`, composes chunks meanwhile. */
  async capture(composes: boolean): Promise<void> {
    const { held, state } = this
    const attendance = new AttendanceLog(held, this.#events, this.attendance())
    await this.disk.check()
    const capture = await Capture.open({
      folder: this.#trackFolder,
      attempt: String(state.attempts).padStart(4, '0'),
      disk: this.disk,
      startedAtMs: state.startedAtMs,
      chunkMs: CHUNK_FRAMES * FRAME_MS,
      failed: (track, err) =>
        this.logEvent('track_failed', { publication_id: track.publicationId, error: String(err) }),
    })
    this.#capture = capture
    const updateCameraSize = () => {
      if (composes) capture.setCameraSize(cameraTileSize(attendance.presentCount, capture.hasScreen))
    }
    updateCameraSize()
    const unsubscribe = [
      held.onSession(event => attendance.onEvent(event)),
      held.onTrack(track => capture.add(track)),
    ]
    // A job that was stopped before it started captures nothing.
    if (!held.stop.aborted) held.progress({ active: this.disk.hasRoom })
    const over = new AbortController()
    const composing = composes ? this.#composing.composeLive(capture, attendance, over.signal) : null
    try {
      await untilSessionEnds(held, attendance, async () => {
        await this.disk.check().catch(() => {})
        attendance.refresh()
        updateCameraSize()
        this.journal.flush()
        this.#events.flush()
      })
      this.throwIfHandedOver()
      await this.#end(attendance)
    } finally {
      over.abort()
      await composing
      for (const off of unsubscribe) off()
      await capture.close()
      this.#capture = null
    }
  }

  /** Composes the remaining chunks. */
  compose(): Promise<Composer> {
    return this.#composing.composeRemaining()
  }

  /** Throws if another process or worker continues this recording. */
  throwIfHandedOver() {
    this.handover.throwIfAborted()
  }

  /** Runs ffmpeg after the call, at normal priority. */
  runFfmpeg(args: string[], cwd: string) {
    return this.options.ffmpeg.run(args, { cwd, isLive: false, signal: this.handover })
  }

  /** Copies the event log, possibly empty. */
  async copyEvents(to: string) {
    this.#events.write()
    const { file } = this.#events
    return existsSync(file) ? copyFile(file, to) : writeFile(to, '')
  }

  /** Whether nothing was captured. */
  async isEmpty() {
    await this.tracks.advance(0)
    if (this.endMs - this.state.startedAtMs < FRAME_MS) return true
    return this.tracks.byFile.size === 0 && this.attendance().allParticipants().size === 0
  }

  async #end(attendance: AttendanceLog) {
    const end = await recordingEnd(this.held, attendance, () => this.#lastWrittenMs())
    this.state.end = end
    this.held.progress({ active: false })
    this.logEvent('capture_ended', { status: end.status, ended_at_ms: end.atMs })
    await this.#retryWhileDiskFull(async () => {
      this.#events.write()
      await writeState(this.folder, this.state)
    })
  }

  async #lastWrittenMs(): Promise<number> {
    const journals = (await readdir(this.#trackFolder)).map(name => join(this.#trackFolder, name))
    const times = await Promise.all([...journals, this.#events.file].map(modifiedAtMs))
    return Math.max(this.state.startedAtMs, ...times)
  }

  #retryWhileDiskFull(write: () => Promise<void>) {
    return retryWhileDiskFull(write, this.handover, () => this.disk.writeFailed())
  }
}

/** Only the loss of the job, unlike a stop request, aborts the work. */
function jobLost(stop: AbortSignal): AbortSignal {
  const lost = new AbortController()
  const onStop = () => {
    if (stop.reason === 'lost') lost.abort(new Error('the job is another worker’s now'))
  }
  if (stop.aborted) onStop()
  else stop.addEventListener('abort', onStop, { once: true })
  return lost.signal
}

const modifiedAtMs = async (file: string) => (await stat(file).catch(() => null))?.mtimeMs ?? 0
