import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobView } from '@lectern/protocol/control'
import { type HeldJob, jobLogFields, retryWhileDiskFull } from '@lectern/worker-kit'
import { BoardImages } from './board/board-images.ts'
import { BoardLog } from './board/board-log.ts'
import { BoardPictures } from './board/board-pictures.ts'
import { GrowingStrokes } from './board/growing-strokes.ts'
import { TRACKS } from './capture/capture-folder.ts'
import { DiskSpace } from './capture/disk-space.ts'
import { nowMs } from './clock/now.ts'
import { CompositionScheduler } from './compose/composition-scheduler.ts'
import { FRAME_MS } from './compose/video-format.ts'
import type { RecorderOptions } from './options.ts'
import { ReportLog } from './report/report-log.ts'
import { EventLog } from './session/event-log.ts'
import { RecordingState } from './state.ts'
import { Tracks } from './tracks/tracks.ts'

/** A recording on disk: the parts that own its files. Every attempt of the job resumes it. */
export class Recording {
  readonly job: JobView
  readonly folder: string
  readonly trackFolder: string
  readonly outputFolder: string
  readonly reportLog: ReportLog
  readonly events: EventLog
  readonly board: BoardLog
  readonly strokes = new GrowingStrokes()
  /** The pictures on the board. */
  readonly images: BoardImages
  readonly tracks: Tracks
  readonly disk: DiskSpace
  readonly composition: CompositionScheduler
  /** Aborted when another process or worker takes the recording over. */
  readonly handover: AbortSignal
  readonly #options: RecorderOptions
  readonly state: RecordingState

  private constructor(held: HeldJob, options: RecorderOptions, state: RecordingState) {
    this.#options = options
    this.state = state
    const { folder, job } = held
    this.job = job
    this.folder = folder
    this.trackFolder = join(folder, TRACKS)
    this.outputFolder = join(folder, 'output')
    this.handover = AbortSignal.any([held.drain, jobLost(held.stop)])
    this.reportLog = new ReportLog(folder, options.log.child(jobLogFields(job)))
    this.events = new EventLog(folder, dropped => this.reportLog.add('events_dropped', dropped))
    this.board = new BoardLog(folder, dropped => this.reportLog.add('board_dropped', dropped))
    this.images = new BoardImages({
      folder: join(folder, 'board-images'),
      download: (path, file) => held.download(path, file),
      failed: ({ fileId, pageNumber }, err) =>
        this.reportLog.add('board_image_failed', {
          ...{ file_id: fileId, page_number: pageNumber, error: String(err) },
        }),
      clock: nowMs,
    })
    this.tracks = new Tracks(this.trackFolder)
    this.disk = new DiskSpace(folder, options.reserveBytes)
    this.disk.onChange(({ hasSpace, freeBytes }) =>
      this.reportLog.add(hasSpace ? 'disk_has_room' : 'disk_full', { free_bytes: freeBytes }),
    )
    this.composition = new CompositionScheduler({
      folder: join(folder, 'chunks'),
      startedAtMs: state.startedAtMs,
      tracks: this.tracks,
      presence: this.events.attendance.presence,
      board: new BoardPictures(this.board.file, this.images),
      strokes: this.strokes,
      disk: this.disk,
      ffmpeg: options.ffmpeg,
      handover: this.handover,
      reportLog: this.reportLog,
    })
  }

  static async open(held: HeldJob, options: RecorderOptions): Promise<Recording> {
    const state = await RecordingState.open(held.folder)
    const recording = new Recording(held, options, state)
    await recording.retryWhileDiskFull(async () => {
      await state.save()
      await mkdir(recording.trackFolder, { recursive: true })
    })
    recording.reportLog.add('attempt', {
      attempt: held.job.attempt,
      recorder: options.version,
      node: process.version,
    })
    return recording
  }

  /** Whether nothing was captured. */
  async isEmpty(): Promise<boolean> {
    await this.tracks.advance(0)
    if (this.state.endMs - this.state.startedAtMs < FRAME_MS) return true
    return this.tracks.byFile.size === 0 && this.events.attendance.allParticipants().size === 0
  }

  /** Throws if another process or worker continues this recording. */
  throwIfHandedOver(): void {
    this.handover.throwIfAborted()
  }

  /** Runs ffmpeg after the call, at the priority of that time. `mediaMs`: the length of what it reads, where that is more than a chunk. */
  runFfmpeg(args: string[], cwd: string, mediaMs = 0) {
    return this.#options.ffmpeg.run(args, { cwd, isLive: false, signal: this.handover, mediaMs })
  }

  retryWhileDiskFull(write: () => Promise<void>): Promise<void> {
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
