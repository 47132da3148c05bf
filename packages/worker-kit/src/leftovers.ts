import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandData } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { isPassing } from './failures.ts'
import { oneAtATime } from './one-at-a-time.ts'

/** How long an operator has to fetch what this worker captured of a job that another one finished. */
const KEPT_MS = 7 * 86_400_000
const OF_A_JOB = /^job_[0-9a-f]+$/

type State = CommandData<'job.state'>['state']

export interface LeftoversParts {
  /** In which each job has a folder of its own. */
  folder: string
  /** Asks the server. */
  stateOf: (jobId: string) => Promise<State>
  /** Whether this process works on the job. */
  isAtWork: (jobId: string) => boolean
  /** Whether there is something in the folder of a job that a person could miss. */
  isWorthKeeping: (folder: string) => Promise<boolean>
  clock: () => number
  /** Aborted when nothing is to be begun any more. */
  drain: AbortSignal
  log: Logger
}

/**
 * Folders of jobs that are over, whose worker did not see the end: another one took the job, or this process was
 * killed. Nothing is removed on a mere guess: docs/recording.md has the rule.
 */
export class Leftovers {
  readonly #parts: LeftoversParts
  /** What is over stays as it is, and need not be asked for again. */
  readonly #over = new Map<string, State>()

  constructor(parts: LeftoversParts) {
    this.#parts = parts
  }

  /** Never rejects: what could not be looked at now is looked at the next time. */
  readonly sweep = oneAtATime(() => this.look())

  async look(): Promise<void> {
    const { folder, isAtWork, drain, log } = this.#parts
    try {
      for (const jobId of await readdir(folder)) {
        if (drain.aborted) return
        if (OF_A_JOB.test(jobId) && !isAtWork(jobId)) await this.#lookAt(jobId)
      }
    } catch (error) {
      const isNothing = isPassing(error) || (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isNothing && !drain.aborted)
        log.warn({ err: error }, 'folders of former jobs could not be looked through')
    }
  }

  async #lookAt(jobId: string): Promise<void> {
    const { stateOf, isAtWork, log } = this.#parts
    const folder = join(this.#parts.folder, jobId)
    const known = this.#over.get(jobId)
    const state = known ?? (await stateOf(jobId))
    // Nobody begins with a job that is over, but the work may not have noticed it yet.
    if (state === 'going_on' || isAtWork(jobId)) return
    this.#over.set(jobId, state)
    if (await this.#mayGo(folder, state)) {
      await rm(folder, { recursive: true, force: true })
      this.#over.delete(jobId)
      log.info({ job_id: jobId, state }, 'the folder of a job that is over was removed')
    } else if (!known)
      log.warn(
        { job_id: jobId, state, folder },
        state === 'done'
          ? 'a job was finished without what was captured here; that stays for a week'
          : 'a job is over without a record; what was captured here stays until somebody removes the folder',
      )
  }

  async #mayGo(folder: string, state: State): Promise<boolean> {
    if (!(await this.#parts.isWorthKeeping(folder))) return true
    return state === 'done' && (await lastChangeMs(folder)) + KEPT_MS < this.#parts.clock()
  }
}

/** Of anything in the folder. */
async function lastChangeMs(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const stats = await Promise.all(['', ...names].map(name => stat(join(folder, name))))
  return Math.max(...stats.map(({ mtimeMs }) => mtimeMs))
}
