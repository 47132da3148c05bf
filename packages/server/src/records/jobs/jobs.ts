import type { JobKind, JsonObject } from '@lectern/protocol/control'
import { matchesLanguage } from '../../platform/language-tags.ts'
import type {
  ConferenceSettings,
  OwnSession,
  SessionJobs,
  SessionLease,
  TranscriptionOptions,
} from '../../sessions/ports.ts'
import { LeaseLost } from '../../sessions/refusals.ts'
import { JobScheduler, type JobSchedulerParts } from './job-scheduler.ts'
import { LeasedJobs, type LeasedJobsParts } from './leased-jobs.ts'
import { ENDED_JOB_RETENTION_MS } from './limits.ts'
import { jobMetrics } from './metrics.ts'
import type { Job, JobCount, JobScope, NewJob } from './ports.ts'

type RecordingFormat = 'mkv' | 'mp4'

/** A job that begins with the session of a partner's room. */
interface AutomaticJob {
  kind: 'recording' | 'transcription'
  sessionId: number
  queue: () => Promise<void>
}

export interface JobsParts extends JobSchedulerParts, LeasedJobsParts {
  /** Parameters of recording jobs. */
  recordingParams: JsonObject
}

/** The jobs of sessions, as sessions and operators start, stop and count them (rules J1 to J12). */
export class Jobs implements SessionJobs {
  readonly #parts: JobsParts
  readonly #scheduler: JobScheduler
  /** The same jobs, for the workers that process them. */
  readonly leased: LeasedJobs
  /** Automatic jobs that could not be queued yet. */
  readonly #unqueued = new Set<AutomaticJob>()

  constructor(parts: JobsParts) {
    this.#parts = parts
    this.#scheduler = new JobScheduler(parts)
    this.leased = new LeasedJobs(parts, this.#scheduler)
    parts.domainEvents.subscribe('session-started', ({ session, kind, settings }) => {
      if (kind === 'partner') this.#startAutomatic(session, settings)
    })
    parts.domainEvents.subscribe('session-ended', ({ sessionId }) => {
      this.#giveUp(job => job.sessionId === sessionId)
      void this.#scheduler.poll()
    })
  }

  /** Call it about every second. */
  async tick(): Promise<void> {
    for (const job of [...this.#unqueued]) await this.#queueAutomatic(job)
    await this.#scheduler.poll()
  }

  close(): void {
    this.#scheduler.close()
  }

  /** Removes jobs that ended long ago. */
  sweep(): Promise<void> {
    return this.#parts.store.sweep(this.#parts.clock() - ENDED_JOB_RETENTION_MS)
  }

  get metrics() {
    return jobMetrics({ store: this.#parts.store, scheduler: this.#scheduler })
  }

  /** For administrators. */
  get workers() {
    return this.#scheduler.workers.all
  }

  /** The unfinished jobs of all sessions, on all servers. */
  async countUnfinished(): Promise<{ queued: number; leased: number }> {
    const counts = await this.#parts.store.countUnfinished()
    const sum = (state: JobCount['state']) =>
      counts.reduce((total, each) => total + (each.state === state ? each.count : 0), 0)
    return { queued: sum('queued'), leased: sum('leased') }
  }

  /** Cancels a queued job; requests the worker of a leased one to finish. False: it has ended. */
  async cancel(jobId: string): Promise<boolean> {
    const job = await this.#parts.store.find(jobId)
    if (!job || (job.state.is !== 'queued' && job.state.is !== 'leased')) return false
    await this.#scheduler.stop(job)
    void this.#scheduler.poll()
    return true
  }

  /** Cancels a job that was requested to stop, but whose worker is gone. False: it has one, or has ended. */
  abandon(jobId: string): Promise<boolean> {
    return this.#parts.store.abandon(jobId, this.#scheduler.expired, this.#parts.clock())
  }

  /** Partners get Matroska unless they want MP4; the owners of other conferences play their recordings in browsers. */
  startRecording(session: OwnSession, format: RecordingFormat = 'mp4'): Promise<void> {
    return this.#record(session, 'manual', format)
  }

  stopRecording(sessionId: number): Promise<void> {
    this.#giveUp(job => job.sessionId === sessionId && job.kind === 'recording')
    return this.#stop('recording', sessionId)
  }

  hasTranscriber(): boolean {
    return this.#scheduler.workers.hasActive('transcription')
  }

  transcriptionLanguages(): string[] {
    return this.#scheduler.workers.languages() ?? []
  }

  hasConverter(): boolean {
    return this.#scheduler.workers.hasActive('conversion')
  }

  /** Whether one of them converts office documents. */
  convertsOffice(): boolean {
    return this.#scheduler.workers.convertsOffice()
  }

  /** Converts a file, whether or not a session runs. The id makes it idempotent. */
  async convert(
    id: string,
    { sessionId, tag, params }: { sessionId: number; tag: string; params: JsonObject },
  ): Promise<Job> {
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    const job: NewJob = { kind: 'conversion', scope: 'manual', ...session, params }
    const added = await this.#parts.store.addWithId(id, job, this.#parts.clock())
    void this.#scheduler.poll()
    return added
  }

  canTranscribe(language: string): boolean {
    const languages = this.#scheduler.workers.languages()
    return languages === null || languages.some(each => matchesLanguage(each, language))
  }

  async startTranscription(
    { sessionId, tag, lease }: OwnSession,
    options: TranscriptionOptions,
  ): Promise<void> {
    // A job whose worker was lost yields no result (rule X8), and must not prevent another one.
    await this.#stop(
      'transcription',
      sessionId,
      job => this.#scheduler.hasLostWorker(job) || wasStartedByFormerProcess(job),
    )
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    await this.#add(lease, { kind: 'transcription', scope: 'manual', ...session, params: options })
  }

  stopTranscription(sessionId: number): Promise<void> {
    this.#giveUp(job => job.sessionId === sessionId && job.kind === 'transcription')
    return this.#stop('transcription', sessionId)
  }

  #startAutomatic(session: OwnSession, settings: ConferenceSettings | undefined): void {
    const { sessionId } = session
    const { recording = 'automatic', recordingFormat = 'mkv', transcription = null } = settings ?? {}
    if (recording === 'automatic') {
      const queue = () => this.#record(session, 'partner_auto', recordingFormat)
      void this.#queueAutomatic({ kind: 'recording', sessionId, queue })
    }
    if (transcription) {
      const { language } = transcription
      // A running transcription continues.
      const queue = () => this.startTranscription(session, language === null ? {} : { language })
      void this.#queueAutomatic({ kind: 'transcription', sessionId, queue })
    }
  }

  /** Retries failures until the session ends, or another server runs it: that one queues the job by itself. */
  async #queueAutomatic(job: AutomaticJob): Promise<void> {
    const isRetry = this.#unqueued.delete(job)
    try {
      await job.queue()
    } catch (error) {
      if (error instanceof LeaseLost) return
      this.#unqueued.add(job)
      if (!isRetry)
        this.#parts.log.error(
          { err: error, conference_session_id: job.sessionId },
          `a ${job.kind} could not be queued: retried while the session runs`,
        )
    }
  }

  #giveUp(isMeant: (job: AutomaticJob) => boolean): void {
    for (const job of this.#unqueued) if (isMeant(job)) this.#unqueued.delete(job)
  }

  async #record({ sessionId, tag, lease }: OwnSession, scope: JobScope, format: RecordingFormat) {
    const session = { conferenceSessionId: sessionId, conferenceTag: tag }
    const params = format === 'mp4' ? inMp4(this.#parts.recordingParams) : this.#parts.recordingParams
    await this.#add(lease, { kind: 'recording', scope, ...session, params })
  }

  async #add(lease: SessionLease, job: NewJob): Promise<void> {
    const now = this.#parts.clock()
    const added = await this.#parts.store.addUnder(lease, job, now)
    if (!added) throw new LeaseLost()
    // The next tick is soon enough for one that was there: a server that takes thousands of sessions over finds one in each.
    if (added.createdAtMs >= now) void this.#scheduler.poll()
  }

  async #stop(kind: JobKind, sessionId: number, isMeant: (job: Job) => boolean = () => true): Promise<void> {
    for (const job of await this.#parts.store.listUnfinished({ sessionId }))
      if (job.kind === kind && isMeant(job)) await this.#scheduler.stop(job)
  }
}

/** Whether the worker has restarted: it is inactive, but its former process reported details. */
const wasStartedByFormerProcess = ({ state, details }: Job): boolean =>
  state.is === 'leased' && !state.active && Object.keys(details).length > 0

const inMp4 = (params: JsonObject): JsonObject =>
  params.profile === 'consolidated_native' ? { ...params, profile: 'consolidated_mp4' } : params
