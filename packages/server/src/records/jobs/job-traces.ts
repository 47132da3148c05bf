import type { Clock } from '../../platform/clock.ts'
import { noTracing, type Tracing } from '../../platform/tracing.ts'
import type { Job } from './ports.ts'

interface JobTracesOptions {
  clock: Clock
  tracing?: Tracing
}

/** Records the life of jobs: all of a job, from its creation to its end, and how long it waited for a worker. */
export class JobTraces {
  readonly #clock: Clock
  readonly #tracing: Tracing

  constructor({ clock, tracing = noTracing }: JobTracesOptions) {
    this.#clock = clock
    this.#tracing = tracing
  }

  /** A worker holds the job from now on. */
  leased(job: Job): void {
    if (job.attempts > 1) return // an earlier worker was lost
    this.#record(job, `job ${job.kind} queued`, 'part')
  }

  ended(job: Job): void {
    this.#record(job, `job ${job.kind}`, 'whole', job.state.is === 'failed' ? 'job_failed' : undefined)
  }

  #record({ id, ...job }: Job, name: string, is: 'whole' | 'part', failure?: string): void {
    if (!this.#tracing.isOn) return
    const attributes = {
      'lectern.job_id': id,
      'lectern.job_kind': job.kind,
      'lectern.conference_session_id': job.conferenceSessionId,
      'lectern.attempts': job.attempts,
      'lectern.job_state': job.state.is,
    }
    const times = { startedAtMs: job.createdAtMs, endedAtMs: this.#clock() }
    this.#tracing.record({ name, attributes, ...times, failure, operation: { id, is } })
  }
}
