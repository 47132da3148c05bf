import { setTimeout as sleep } from 'node:timers/promises'
import { coalesced } from '@lectern/common'
import type { ControlClient } from '@lectern/control-client'
import {
  type CommandBody,
  type CommandData,
  type JobView,
  PEOPLE_PER_COMMAND_MAX,
  PHRASES_PER_COMMAND_MAX,
} from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { isTransient, isUnsupported, reasonOf } from './failures.ts'
import type { HeldJob, JobEnd, StopReason } from './ports.ts'

export interface LeaseParts {
  client: ControlClient
  job: JobView
  workerId: string
  log: Logger
}

type Progress = Parameters<HeldJob['progress']>[0]
type JobCommand = 'job.renew' | 'job.progress' | 'job.phrases' | 'job.finish' | 'job.people'

const RETRY_AFTER_MS = 1_000
const TTL_MS = 10_000
/** Renewals per lease duration. */
const RENEWALS_PER_LEASE = 3

/** A lease on a job: renewed until closed, and the channel for progress, phrases and the result. */
export class Lease {
  readonly #parts: LeaseParts
  readonly #stop = new AbortController()
  readonly #lost = new AbortController()
  readonly #closed = new AbortController()
  readonly #ends = AbortSignal.any([this.#closed.signal, this.#lost.signal])
  readonly #scheduleReport = coalesced(() => this.#reportProgress())
  #leaseMs: number
  #progress: Progress | null = null

  constructor(parts: LeaseParts) {
    this.#parts = parts
    this.#leaseMs = parts.job.lease_ms
    if (parts.job.stop) this.requestStop()
    void this.#renewUntilClosed()
  }

  /** Aborted with the first StopReason. */
  get stop(): AbortSignal {
    return this.#stop.signal
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  requestStop(): void {
    this.#stop.abort('requested' satisfies StopReason)
  }

  markLost(): void {
    this.#lost.abort('lost' satisfies StopReason)
    this.#stop.abort('lost' satisfies StopReason)
  }

  progress(changes: Progress): void {
    this.#progress = { ...this.#progress, ...changes }
    this.#scheduleReport()
  }

  /** `client`: a connection to the server that runs the session, where everybody receives them. */
  async publishPhrases(
    { phrases, partials }: Parameters<HeldJob['publishPhrases']>[0],
    client: ControlClient,
  ): Promise<void> {
    const left = [...phrases]
    do {
      const isLast = left.length <= PHRASES_PER_COMMAND_MAX
      const some = left.splice(0, PHRASES_PER_COMMAND_MAX)
      const body = { phrases: some, partials: isLast ? partials.slice(0, PHRASES_PER_COMMAND_MAX) : [] }
      await this.#sendUntilAccepted('job.phrases', body, { client })
    } while (left.length > 0)
  }

  async externalIds(userIds: readonly string[], drain: AbortSignal): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    const signal = AbortSignal.any([this.#ends, drain])
    for (let from = 0; from < userIds.length; from += PEOPLE_PER_COMMAND_MAX) {
      const user_ids = userIds.slice(from, from + PEOPLE_PER_COMMAND_MAX)
      const { people } = await this.#sendUntilAccepted('job.people', { user_ids }, { signal }).catch(
        error => {
          if (isUnsupported(error)) return { people: [] }
          throw error
        },
      )
      for (const { user_id, external_id } of people) found.set(user_id, external_id)
    }
    return found
  }

  /** Resolves when the server has stored the result; rejects when it refuses, or the job is lost. */
  async finish({ outcome, result }: JobEnd): Promise<void> {
    await this.#sendUntilAccepted('job.finish', { outcome, result })
  }

  /** Stops renewing; the lease expires. */
  close(): void {
    this.#closed.abort()
  }

  async #renewUntilClosed(): Promise<void> {
    const signal = this.#ends
    while (!signal.aborted) {
      await sleep(this.#leaseMs / RENEWALS_PER_LEASE, null, { signal }).catch(() => {})
      if (!signal.aborted)
        await this.#sendUntilAccepted('job.renew', {}).catch(error => this.#logRefusal(error))
    }
  }

  async #reportProgress(): Promise<void> {
    const progress = this.#progress
    if (!progress || this.#ends.aborted) return
    try {
      await this.#sendUntilAccepted('job.progress', progress)
    } catch (error) {
      this.#logRefusal(error)
    }
  }

  #logRefusal(error: unknown): void {
    if (this.#ends.aborted) return
    this.#parts.log.warn({ err: error }, 'the server refused a report about a job: the job continues')
  }

  /** Repeats the command until the server has accepted or refused it. */
  async #sendUntilAccepted<N extends JobCommand>(
    name: N,
    body: Omit<CommandBody<N>, 'worker_id'>,
    {
      client: sessionClient = this.#parts.client,
      signal = this.#ends,
    }: { client?: ControlClient; signal?: AbortSignal } = {},
  ): Promise<CommandData<N>> {
    const { client: ownClient, job, workerId } = this.#parts
    const target = { kind: 'operation', id: job.job_id } as const
    for (;;) {
      signal.throwIfAborted()
      try {
        const fullBody = { worker_id: workerId, ...body } as CommandBody<N>
        // The connection of the session is closed with the session.
        const client = sessionClient.state.get().is === 'ended' ? ownClient : sessionClient
        const data = await client.command(name, target, fullBody as never, { ttlMs: TTL_MS })
        this.#applyReply(data as Partial<CommandData<'job.renew'>>)
        return data as CommandData<N>
      } catch (error) {
        if (reasonOf(error) === 'not_held') this.markLost()
        if (!isTransient(error)) throw error
        this.#parts.log.warn({ err: error, command: name }, 'a command about a job failed: retried')
        await sleep(RETRY_AFTER_MS, null, { signal })
      }
    }
  }

  #applyReply({ stop, lease_ms }: Partial<CommandData<'job.renew'>>): void {
    if (lease_ms) this.#leaseMs = lease_ms
    if (stop) this.requestStop()
  }
}
