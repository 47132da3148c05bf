import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControlClient } from '@lectern/control-client'
import type { JobView } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { retryWhileDiskFull } from './disk-space.ts'
import { downloadFile } from './download.ts'
import { Lease } from './lease.ts'
import type { HeldJob, JobEnd, Work } from './ports.ts'
import { RtpReceiver } from './rtp-receiver.ts'
import { type MediaKind, SessionObserver } from './session-observer.ts'
import { uploadFiles } from './upload.ts'

export interface HeldJobParts {
  /** The connection of the worker itself. */
  client: ControlClient
  /** Opens another connection of the same account. */
  connect: () => ControlClient
  serverUrl: string
  accessToken: (refused: boolean) => Promise<string | null>
  workerId: string
  /** Working folder of the worker; each job has a subfolder. */
  folder: string
  media: MediaAddress
  /** Empty: the work needs no session. */
  kinds: MediaKind[]
  work: Work
  drain: AbortSignal
  log: Logger
}

/** The receiver of RTP. */
export interface MediaAddress {
  /** The address to which the server sends. */
  ip: string
  /** The local address to bind. */
  bindTo: string
  encrypted: boolean
}

/** The fields of log lines about a job, as in the server. */
export const jobLogFields = ({ job_id, conference_session_id }: JobView) => ({
  job_id,
  conference_session_id: Number(conference_session_id),
})

/** The folder of the job in a worker with this folder: the same in each attempt. */
export const jobFolder = (folder: string, { job_id }: Pick<JobView, 'job_id'>): string =>
  join(folder, 'jobs', job_id)

/** One attempt at a leased job. */
export class Attempt {
  readonly lease: Lease
  readonly #parts: HeldJobParts
  readonly #job: JobView
  readonly #folder: string
  readonly #log: Logger

  constructor(parts: HeldJobParts, job: JobView) {
    this.#parts = parts
    this.#job = job
    this.#folder = jobFolder(parts.folder, job)
    this.#log = parts.log.child({ ...jobLogFields(job), attempt: job.attempt })
    this.lease = new Lease({ client: parts.client, job, workerId: parts.workerId, log: this.#log })
  }

  /** Resolves when the job is finished, or lost to another worker. Rejects when it must be retried. */
  async run(): Promise<'finished' | 'lost'> {
    const { kinds, work } = this.#parts
    try {
      await this.#createFolder()
      const end = await (kinds.length > 0 ? this.#workInSession() : work(this.#heldJob(null)))
      await this.lease.finish(end)
      this.#log.info({ outcome: end.outcome }, 'job finished')
      await rm(this.#folder, { recursive: true, force: true })
      return 'finished'
    } catch (error) {
      if (!this.lease.lost.aborted) throw error
      this.#log.warn('another worker holds the job: local files are kept until it has finished')
      return 'lost'
    } finally {
      this.lease.close()
    }
  }

  async #workInSession(): Promise<JobEnd> {
    const { connect, kinds, media, workerId, work } = this.#parts
    const intake = await RtpReceiver.open(media.bindTo)
    const client = connect()
    const observer = new SessionObserver(
      {
        client,
        job: this.#job,
        workerId,
        intake,
        mediaIp: media.ip,
        kinds,
        log: this.#log,
        lost: () => this.lease.markLost(),
      },
      media,
    )
    return work(this.#heldJob({ observer, client })).finally(() => {
      observer.close()
      intake.close()
    })
  }

  /** Waits while the disk is full instead of using up an attempt. */
  async #createFolder(): Promise<void> {
    const signal = AbortSignal.any([this.lease.lost, this.#parts.drain])
    const createFolder = () => mkdir(this.#folder, { recursive: true })
    await retryWhileDiskFull(createFolder, signal, error =>
      this.#log.warn({ err: error }, 'disk full: the job starts when there is space'),
    )
  }

  #heldJob(observed: { observer: SessionObserver; client: ControlClient } | null): HeldJob {
    const { lease } = this
    const { drain, serverUrl, accessToken } = this.#parts
    return {
      job: this.#job,
      folder: this.#folder,
      stop: lease.stop,
      drain,
      log: this.#log,
      session: () => observed?.observer.view() ?? null,
      onSession: listener => observed?.observer.onSession(listener) ?? (() => {}),
      followBoard: (listener, followed) => observed?.observer.followBoard(listener, followed) ?? (() => {}),
      onTrack: listener => observed?.observer.tracks.onTrack(listener) ?? (() => {}),
      progress: changes => lease.progress(changes),
      publishPhrases: recognized => lease.publishPhrases(recognized, observed?.client ?? this.#parts.client),
      externalIds: userIds => lease.externalIds(userIds, drain),
      download: (path, file) => {
        const signal = AbortSignal.any([lease.lost, drain])
        return downloadFile({ serverUrl, accessToken, signal }, path, file)
      },
      upload: (files, { alsoWhenDraining = false } = {}) => {
        const signal = alsoWhenDraining ? lease.lost : AbortSignal.any([lease.lost, drain])
        const { job_id: jobId } = this.#job
        const options = { serverUrl, accessToken, jobId, folder: this.#folder, signal, log: this.#log }
        return uploadFiles(options, files)
      },
    }
  }
}
