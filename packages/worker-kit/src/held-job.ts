import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControlClient } from '@lectern/control-client'
import type { JobView } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { Intake } from './intake.ts'
import { Lease } from './lease.ts'
import type { HeldJob, Work } from './ports.ts'
import { onceThereIsRoom } from './room.ts'
import { type MediaKind, SessionLine } from './session-line.ts'
import { uploadFiles } from './upload.ts'

export interface HeldJobParts {
  /** The worker's own connection. */
  client: ControlClient
  /** Another connection of the same account. */
  connect: () => ControlClient
  serverUrl: string
  accessToken: (refused: boolean) => Promise<string | null>
  workerId: string
  /** Of the worker; each job has one of its own in it. */
  folder: string
  media: MediaAddress
  kinds: MediaKind[]
  work: Work
  drain: AbortSignal
  log: Logger
}

/** Where RTP is to come. */
export interface MediaAddress {
  /** As the server sees it. */
  ip: string
  /** Of this machine. */
  bindTo: string
  encrypted: boolean
}

/** A job that this worker holds, for one attempt. */
export class Attempt {
  readonly lease: Lease
  readonly #parts: HeldJobParts
  readonly #job: JobView
  readonly #folder: string
  readonly #log: Logger

  constructor(parts: HeldJobParts, job: JobView) {
    this.#parts = parts
    this.#job = job
    this.#folder = join(parts.folder, 'jobs', job.job_id)
    this.#log = parts.log.child({ job_id: job.job_id, attempt: job.attempt })
    this.lease = new Lease({ client: parts.client, job, workerId: parts.workerId, log: this.#log })
  }

  /** Resolves when the job is finished, or another worker's. Rejects when it is to be tried again. */
  async run(): Promise<void> {
    const { connect, kinds, media, workerId, work } = this.#parts
    try {
      await this.#makeFolder()
      const intake = await Intake.open(media.bindTo)
      const line = new SessionLine(
        {
          client: connect(),
          job: this.#job,
          workerId,
          intake,
          mediaIp: media.ip,
          kinds,
          log: this.#log,
          lost: () => this.lease.lose(),
        },
        media,
      )
      const end = await work(this.#hold(line)).finally(() => {
        line.close()
        intake.close()
      })
      await this.lease.finish(end)
      this.#log.info({ outcome: end.outcome }, 'a job is finished')
      await rm(this.#folder, { recursive: true, force: true })
    } catch (error) {
      if (!this.lease.lost.aborted) throw error
      this.#log.warn('a job is another worker’s now; what was made of it stays until that one has finished')
    } finally {
      this.lease.close()
    }
  }

  /** An attempt that a full disk would end is one less that the job has. */
  async #makeFolder(): Promise<void> {
    const signal = AbortSignal.any([this.lease.lost, this.#parts.drain])
    const make = () => mkdir(this.#folder, { recursive: true })
    await onceThereIsRoom(make, signal, error => this.#log.warn({ err: error }, 'there is no room for a job'))
  }

  #hold(line: SessionLine): HeldJob {
    const { lease } = this
    const { drain, serverUrl, accessToken } = this.#parts
    return {
      job: this.#job,
      folder: this.#folder,
      stop: lease.stop,
      drain,
      session: () => line.view(),
      onSession: listener => line.onSession(listener),
      onTrack: listener => line.tracks.on(listener),
      progress: told => lease.progress(told),
      say: heard => lease.say(heard),
      upload: (files, { alsoWhenDraining = false } = {}) => {
        const signal = alsoWhenDraining ? lease.lost : AbortSignal.any([lease.lost, drain])
        const { job_id: jobId } = this.#job
        const options = { serverUrl, accessToken, jobId, folder: this.#folder, signal, log: this.#log }
        return uploadFiles(options, files)
      },
    }
  }
}
