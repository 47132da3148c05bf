import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient } from '@lectern/control-client'
import {
  type CommandBody,
  type CommandData,
  type JobView,
  PHRASES_PER_COMMAND_MAX,
} from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { isPassing, reasonOf } from './failures.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { HeldJob, JobEnd, StopReason } from './ports.ts'

export interface LeaseParts {
  client: ControlClient
  job: JobView
  workerId: string
  log: Logger
}

type Told = Parameters<HeldJob['progress']>[0]
type JobCommand = 'job.renew' | 'job.progress' | 'job.phrases' | 'job.finish'

const AGAIN_AFTER_MS = 1_000
const TTL_MS = 10_000
/** A lease is renewed so many times before it would run out. */
const RENEWALS = 3

/** This worker's hold on a job: kept while it is open, and what is told by who holds it. */
export class Lease {
  readonly #parts: LeaseParts
  readonly #stop = new AbortController()
  readonly #lost = new AbortController()
  readonly #closed = new AbortController()
  readonly #ends = AbortSignal.any([this.#closed.signal, this.#lost.signal])
  readonly #tell = oneAtATime(() => this.#tellProgress())
  #leaseMs: number
  #told: Told | null = null

  constructor(parts: LeaseParts) {
    this.#parts = parts
    this.#leaseMs = parts.job.lease_ms
    if (parts.job.stop) this.askToStop()
    void this.#keep()
  }

  /** Aborted with a StopReason, the first there is. */
  get stop(): AbortSignal {
    return this.#stop.signal
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  askToStop(): void {
    this.#stop.abort('asked' satisfies StopReason)
  }

  lose(): void {
    this.#lost.abort('lost' satisfies StopReason)
    this.#stop.abort('lost' satisfies StopReason)
  }

  progress(told: Told): void {
    this.#told = { ...this.#told, ...told }
    this.#tell()
  }

  async say({ phrases, partials }: Parameters<HeldJob['say']>[0]): Promise<void> {
    const left = [...phrases]
    do {
      const isLast = left.length <= PHRASES_PER_COMMAND_MAX
      const some = left.splice(0, PHRASES_PER_COMMAND_MAX)
      await this.#insist('job.phrases', {
        phrases: some,
        partials: isLast ? partials.slice(0, PHRASES_PER_COMMAND_MAX) : [],
      })
    } while (left.length > 0)
  }

  /** Resolves when the server has it; rejects when it does not take it, or the job is lost. */
  async finish({ outcome, result }: JobEnd): Promise<void> {
    await this.#insist('job.finish', { outcome, result })
  }

  /** Nothing is told any more, and the lease runs out. */
  close(): void {
    this.#closed.abort()
  }

  async #keep(): Promise<void> {
    const signal = this.#ends
    while (!signal.aborted) {
      await sleep(this.#leaseMs / RENEWALS, null, { signal }).catch(() => {})
      if (!signal.aborted) await this.#insist('job.renew', {}).catch(error => this.#failed(error))
    }
  }

  async #tellProgress(): Promise<void> {
    const told = this.#told
    if (!told || this.#ends.aborted) return
    try {
      await this.#insist('job.progress', told)
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    if (this.#ends.aborted) return
    this.#parts.log.warn({ err: error }, 'the server does not take what is told of a job')
  }

  /** Until the server has heard it. */
  async #insist<N extends JobCommand>(name: N, body: Omit<CommandBody<N>, 'worker_id'>): Promise<void> {
    const { client, job, workerId } = this.#parts
    const target = { kind: 'operation', id: job.job_id } as const
    for (;;) {
      this.#ends.throwIfAborted()
      try {
        const whole = { worker_id: workerId, ...body } as CommandBody<N>
        const data = await client.command(name, target, whole as never, { ttlMs: TTL_MS })
        return this.#heard(data as Partial<CommandData<'job.renew'>>)
      } catch (error) {
        if (reasonOf(error) === 'not_held') this.lose()
        if (!isPassing(error)) throw error
        this.#parts.log.warn({ err: error, command: name }, 'the server has not heard of it yet')
        await sleep(AGAIN_AFTER_MS, null, { signal: this.#ends })
      }
    }
  }

  #heard({ stop, lease_ms }: Partial<CommandData<'job.renew'>>): void {
    if (lease_ms) this.#leaseMs = lease_ms
    if (stop) this.askToStop()
  }
}
