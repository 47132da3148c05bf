import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { coalesced, tryEach } from '@lectern/common'
import type { CommandData } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { lastModifiedMs } from './clock.ts'
import { isTransient } from './failures.ts'

/** How long captured media of a job that another worker finished is kept for the operator. */
const RETENTION_MS = 7 * 86_400_000
const JOB_FOLDER = /^job_[0-9a-f]+$/

type State = CommandData<'job.state'>['state']

export interface OrphanedJobsParts {
  /** The folder that contains one folder per job. */
  folder: string
  /** Queries the server. */
  stateOf: (jobId: string) => Promise<State>
  /** Whether this process is running the job. */
  isActive: (jobId: string) => boolean
  /** Whether the folder of a job contains captured media. */
  hasCapturedMedia: (folder: string) => Promise<boolean>
  clock: () => number
  /** Aborted when the worker drains. */
  drain: AbortSignal
  log: Logger
}

/**
 * Removes folders of finished jobs whose end this worker did not observe, because another worker took over or the process
 * was killed. docs/recording.md states the retention rule.
 */
export class OrphanedJobs {
  readonly #parts: OrphanedJobsParts
  /** The states of jobs whose folders are kept, as they were logged. */
  readonly #kept = new Map<string, State>()

  constructor(parts: OrphanedJobsParts) {
    this.#parts = parts
  }

  /** Never rejects; failures are retried at the next sweep. */
  readonly sweep = coalesced(() => this.check())

  async check(): Promise<void> {
    const { folder, isActive, drain, log } = this.#parts
    try {
      await tryEach(await readdir(folder), async jobId => {
        if (!drain.aborted && JOB_FOLDER.test(jobId) && !isActive(jobId)) await this.#checkJob(jobId)
      })
    } catch (error) {
      const isNothing = isTransient(error) || (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isNothing && !drain.aborted)
        log.warn({ err: error }, 'the folders of former jobs could not be checked: retried')
    }
  }

  async #checkJob(jobId: string): Promise<void> {
    const { stateOf, isActive, log } = this.#parts
    const folder = join(this.#parts.folder, jobId)
    // Each time: what a finished job made may be deleted later.
    const state = await stateOf(jobId)
    // A finished job is never started, but a running attempt may not have noticed the end yet.
    if (state === 'going_on' || isActive(jobId)) return
    const isKnown = this.#kept.get(jobId) === state
    this.#kept.set(jobId, state)
    if (await this.#canRemove(folder, state)) {
      await rm(folder, { recursive: true, force: true })
      this.#kept.delete(jobId)
      log.info({ job_id: jobId, state }, 'removed the folder of a finished job')
    } else if (!isKnown)
      log.warn(
        { job_id: jobId, state, folder },
        state === 'done'
          ? 'a job was finished without the media captured here; it is kept for a week'
          : 'a job ended without a recording; the media captured here is kept until an operator removes the folder',
      )
  }

  async #canRemove(folder: string, state: State): Promise<boolean> {
    if (state === 'deleted' || !(await this.#parts.hasCapturedMedia(folder))) return true
    return state === 'done' && (await lastModifiedMs(folder)) + RETENTION_MS < this.#parts.clock()
  }
}
