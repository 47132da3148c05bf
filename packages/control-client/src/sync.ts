import type {
  Binding,
  ControlFrame,
  ControlSync,
  ControlSyncResult,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { isAfter } from './counter.ts'
import { type Environment, newId } from './environment.ts'
import type { Loss } from './loss.ts'
import type { Streams } from './streams.ts'
import { Timer } from './timer.ts'

export interface SyncEvents {
  syncing(mode: 'fresh' | 'resume'): void
  /** Every stream of the connection is up to date. `fresh`: the connection is a new one to the server. */
  ready(binding: Binding, fresh: boolean): void
  failed(loss: Loss): void
}

/** What a resume needs. `unanswered` is a resume whose answer never came, so that the token may be used up. */
interface Place {
  binding: Binding
  resumeToken: string
  unanswered?: string
}

type Mode = ControlSync['mode']

type Progress =
  | { is: 'offline' }
  | { is: 'asked'; mode: Mode; requestId: string }
  | { is: 'filling'; mode: Mode; requestId: string }
  | { is: 'done'; requestId: string; patient: boolean }

/** Asks for the state of the streams, and knows when all of it has come (contract §2.9, rules C1 to C8). */
export class Sync {
  #env: Environment
  #streams: Streams
  #send: (frame: ControlFrame) => unknown
  #events: SyncEvents
  #instanceId: string
  #place: Place | null = null
  #progress: Progress = { is: 'offline' }
  #limits: ProtocolLimits | null = null
  #timeout: Timer

  constructor(
    env: Environment,
    streams: Streams,
    send: (frame: ControlFrame) => unknown,
    events: SyncEvents,
  ) {
    this.#env = env
    this.#streams = streams
    this.#send = send
    this.#events = events
    this.#instanceId = newId(env)
    this.#timeout = new Timer(env)
  }

  /** Whether a frame with this binding is of the connection's present life (rule C9). */
  isCurrent(binding: Binding): boolean {
    const own = this.#place?.binding
    return (
      this.#progress.is !== 'offline' &&
      own?.logical_connection_id === binding.logical_connection_id &&
      own.binding_generation === binding.binding_generation
    )
  }

  /** Whether a snapshot belongs to the last sync that was answered. */
  isAnswerTo(requestId: string): boolean {
    const progress = this.#progress
    return progress.is !== 'offline' && progress.is !== 'asked' && progress.requestId === requestId
  }

  /** After a login: where the connection was, else from the beginning. */
  begin(limits: ProtocolLimits): void {
    this.#limits = limits
    const place = this.#place
    if (place) this.#askResume(place)
    else this.#beginFresh()
  }

  #beginFresh(): void {
    this.#place = null
    this.#ask('fresh', { mode: 'fresh', cursors: [] })
  }

  #askResume({ binding, resumeToken, unanswered }: Place): void {
    const previous = unanswered === undefined ? {} : { previous_request_id: unanswered }
    const resume = { binding, resume_token: resumeToken, ...previous }
    this.#ask('resume', { mode: 'resume', cursors: this.#streams.cursors(), resume })
  }

  /** In the middle of a connection; one at a time is enough. */
  resync(): void {
    if (this.#progress.is === 'done') this.#askAgain()
  }

  result(result: ControlSyncResult): void {
    const progress = this.#progress
    if (progress.is !== 'asked' || progress.requestId !== result.request_id) return
    switch (result.status) {
      case 'ready':
        this.#accept(result, progress)
        break
      case 'retry_later':
        this.#events.failed({ is: 'retry-later', afterMs: result.error.retry_after_ms })
        break
      case 'resume_rejected':
        if (progress.mode === 'fresh') this.#events.failed({ is: 'wrong-frame', code: result.error.code })
        else this.#beginFresh()
    }
  }

  /** To be called after everything that moves a stream. */
  progressed(): void {
    const progress = this.#progress
    if (progress.is === 'filling') {
      if (this.#streams.settled) this.#finish(progress)
      else if (this.#streams.broken && progress.mode === 'resume') this.#askAgain()
    } else if (progress.is === 'done') {
      if (this.#streams.broken) this.#askAgain()
      else this.#awaitNewStreams(progress)
    }
  }

  lost({ fresh }: { fresh: boolean }): void {
    const progress = this.#progress
    this.#timeout.stop()
    this.#progress = { is: 'offline' }
    if (fresh) this.#place = null
    if (this.#place && progress.is === 'asked' && progress.mode === 'resume')
      this.#place = { ...this.#place, unanswered: progress.requestId }
    // A fresh sync that came only half through is not a place to resume from: its snapshots are owed.
    if (progress.is === 'filling' && progress.mode === 'fresh') this.#place = null
  }

  #finish({ mode, requestId }: Extract<Progress, { is: 'filling' }>): void {
    if (!this.#place) return
    this.#timeout.stop()
    this.#progress = { is: 'done', requestId, patient: false }
    this.#events.ready(this.#place.binding, mode === 'fresh')
    this.progressed()
  }

  /** The server brings the state of a stream that begins between two syncs by itself, but not for ever (C8). */
  #awaitNewStreams(done: Extract<Progress, { is: 'done' }>): void {
    const patient = this.#streams.someNew
    if (patient === done.patient) return
    this.#progress = { ...done, patient }
    if (patient) this.#timeout.start(this.#limits?.sync_timeout_ms ?? 0, () => this.resync())
    else this.#timeout.stop()
  }

  #askAgain(): void {
    if (!this.#place) return
    const { binding } = this.#place
    this.#ask('resync', { mode: 'resync', cursors: this.#streams.cursors(), binding })
  }

  #ask<M extends Mode>(
    mode: M,
    what: Omit<Extract<ControlSync, { mode: M }>, 'request_id' | 'control_instance_id'>,
  ): void {
    const requestId = newId(this.#env)
    this.#progress = { is: 'asked', mode, requestId }
    this.#timeout.start(this.#limits?.sync_timeout_ms ?? 0, () => this.#events.failed({ is: 'sync-timeout' }))
    if (mode !== 'resync') this.#events.syncing(mode)
    const control_sync = { request_id: requestId, control_instance_id: this.#instanceId, ...what }
    this.#send({ control_sync: control_sync as unknown as ControlSync })
  }

  #accept(
    { binding, resume_token, streams }: Extract<ControlSyncResult, { status: 'ready' }>,
    { mode, requestId }: Extract<Progress, { is: 'asked' }>,
  ): void {
    if (mode === 'resume' && !continues(this.#place?.binding, binding)) {
      this.#events.failed({ is: 'wrong-frame', code: 'stale_binding' })
      return
    }
    this.#place = { binding, resumeToken: resume_token }
    this.#progress = { is: 'filling', mode, requestId }
    this.#streams.begin(streams, mode)
    this.progressed()
  }
}

/** The same connection, one life later; or more, when the answers to earlier resumes were lost. */
function continues(before: Binding | undefined, after: Binding): boolean {
  return (
    before?.logical_connection_id === after.logical_connection_id &&
    isAfter(after.binding_generation, before.binding_generation)
  )
}
