import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type HeldJob, onceThereIsRoom } from '@lectern/worker-kit'
import { Capture } from './capture/capture.ts'
import { TRACKS } from './capture/captured.ts'
import { Disk } from './capture/disk.ts'
import { nowMs } from './clock/now.ts'
import { CHUNK_FRAMES } from './compose/chunks.ts'
import type { Composer } from './compose/composer.ts'
import { Composing } from './compose/composing.ts'
import { faceSize } from './compose/layout.ts'
import { FRAME_MS } from './compose/picture.ts'
import type { RecorderOptions } from './options.ts'
import { attend, endOf } from './session/attend.ts'
import { LogFile, readLog } from './session/log-file.ts'
import { People } from './session/people.ts'
import { Witness } from './session/witness.ts'
import { type RecordingState, readState, writeState } from './state.ts'
import { Tracks } from './tracks/tracks.ts'

/** One recording on the disk: captured, and while that goes on composed. Each attempt of the job goes on with it. */
export class Recording {
  readonly journal: LogFile
  readonly #session: LogFile
  readonly tracks: Tracks
  readonly disk: Disk
  /** Aborted when this process is to leave the recording to another. */
  readonly leaves: AbortSignal
  readonly #composing: Composing
  #capture: Capture | null = null

  private constructor(
    private readonly held: HeldJob,
    private readonly options: RecorderOptions,
    readonly state: RecordingState,
  ) {
    this.journal = new LogFile(join(held.folder, 'report.jsonl'))
    this.#session = new LogFile(join(held.folder, 'events.jsonl'))
    this.tracks = new Tracks(this.#trackFolder, file => this.#capture?.isOpen(file) ?? false)
    this.#composing = new Composing(this, options.ffmpeg)
    this.leaves = AbortSignal.any([held.drain, lossOf(held.stop)])
    this.disk = new Disk(held.folder, options.reserveBytes, (hasRoom, freeBytes) => {
      this.tell(hasRoom ? 'disk_has_room' : 'disk_full', { free_bytes: freeBytes })
      if (!this.#capture) return
      held.progress({ active: hasRoom })
      if (hasRoom) this.#capture.requestKeyFrames()
    })
  }

  static async open(held: HeldJob, options: RecorderOptions): Promise<Recording> {
    const before = await readState(held.folder)
    const state = before ?? { startedAtMs: Math.floor(nowMs()), attempts: 0, end: null }
    state.attempts += 1
    const recording = new Recording(held, options, state)
    await recording.#onceThereIsRoom(async () => {
      await writeState(held.folder, state)
      await mkdir(recording.#trackFolder, { recursive: true })
    })
    recording.tell('attempt', { attempt: held.job.attempt, recorder: options.version, node: process.version })
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

  /** When the capture ended, or now. */
  get endMs() {
    return this.state.end?.atMs ?? nowMs()
  }

  people() {
    return new People(readLog(this.#session.file))
  }

  /** For the report and for the log. */
  tell(name: string, body: Record<string, unknown>) {
    this.journal.add(name, body)
    const isTrouble = ['disk_full', 'failed', 'compose_failed', 'track_failed'].includes(name)
    this.options.log[isTrouble ? 'warn' : 'info']({ job_id: this.held.job.job_id, ...body }, name)
  }

  /** Captures until the session is over, or this is to end. With `composes` what is captured is composed meanwhile. */
  async capture(composes: boolean): Promise<void> {
    const { held, state } = this
    const witness = new Witness(held, this.#session, this.people())
    await this.disk.look()
    const capture = await Capture.open({
      folder: this.#trackFolder,
      attempt: String(state.attempts).padStart(4, '0'),
      disk: this.disk,
      startedAtMs: state.startedAtMs,
      chunkMs: CHUNK_FRAMES * FRAME_MS,
      failed: (track, err) =>
        this.tell('track_failed', { publication_id: track.publicationId, error: String(err) }),
    })
    this.#capture = capture
    const showCameras = () => {
      if (composes) capture.showCamerasAs(faceSize(witness.peopleHere, capture.hasScreen))
    }
    showCameras()
    const forget = [held.onSession(event => witness.hear(event)), held.onTrack(track => capture.add(track))]
    // Who comes when all is over records nothing.
    if (!held.stop.aborted) held.progress({ active: this.disk.hasRoom })
    const over = new AbortController()
    const composing = composes ? this.#composing.during(capture, witness, over.signal) : null
    try {
      await attend(held, witness, async () => {
        await this.disk.look().catch(() => {})
        witness.look()
        showCameras()
        this.journal.flush()
        this.#session.flush()
      })
      this.throwIfLeft()
      await this.#end(witness)
    } finally {
      over.abort()
      await composing
      for (const off of forget) off()
      await capture.close()
      this.#capture = null
    }
  }

  /** Composes what is left, in whichever attempt. */
  compose(): Promise<Composer> {
    return this.#composing.finish()
  }

  /** Another process, or another worker, goes on: everything stays as it is. */
  throwIfLeft() {
    this.leaves.throwIfAborted()
  }

  /** Of a call that is over. */
  runFfmpeg(args: string[], cwd: string) {
    return this.options.ffmpeg.run(args, { cwd, isLive: false, signal: this.leaves })
  }

  /** What happened in the session, maybe nothing. */
  async copyEvents(to: string) {
    this.#session.write()
    const { file } = this.#session
    return existsSync(file) ? copyFile(file, to) : writeFile(to, '')
  }

  /** Whether there is anything that a record could show. */
  async isEmpty() {
    await this.tracks.advance(0)
    if (this.endMs - this.state.startedAtMs < FRAME_MS) return true
    return this.tracks.byFile.size === 0 && this.people().everybody().size === 0
  }

  async #end(witness: Witness) {
    const end = await endOf(this.held, witness, () => this.#lastWrittenMs())
    this.state.end = end
    this.held.progress({ active: false })
    this.tell('capture_ended', { status: end.status, ended_at_ms: end.atMs })
    await this.#onceThereIsRoom(async () => {
      this.#session.write()
      await writeState(this.folder, this.state)
    })
  }

  async #lastWrittenMs(): Promise<number> {
    const journals = (await readdir(this.#trackFolder)).map(name => join(this.#trackFolder, name))
    const times = await Promise.all([...journals, this.#session.file].map(modifiedMs))
    return Math.max(this.state.startedAtMs, ...times)
  }

  #onceThereIsRoom(write: () => Promise<void>) {
    return onceThereIsRoom(write, this.leaves, () => this.disk.failed())
  }
}

/** Of the two reasons to stop only the loss of the job is one to leave everything. */
function lossOf(stop: AbortSignal): AbortSignal {
  const lost = new AbortController()
  const look = () => {
    if (stop.reason === 'lost') lost.abort(new Error('the job is another worker’s now'))
  }
  if (stop.aborted) look()
  else stop.addEventListener('abort', look, { once: true })
  return lost.signal
}

const modifiedMs = async (file: string) => (await stat(file).catch(() => null))?.mtimeMs ?? 0
