import type {
  Binding,
  ControlError,
  ControlFrame,
  ControlSync,
  ControlSyncResult,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import type { ConnectionStreams } from './connection-streams.ts'
import { isAfter } from './counter.ts'
import type { DisconnectReason } from './disconnect-reason.ts'
import { type Environment, newId } from './environment.ts'
import { Timer } from './timer.ts'

export interface SyncEvents {
  syncing(mode: 'fresh' | 'resume'): void
  /** Every stream is up to date. `fresh`: the connection is new to the server. */
  ready(binding: Binding, fresh: boolean): void
  failed(reason: DisconnectReason): void
  /** Another server runs what the connection is in. False: it is not known which one. */
  elsewhere(): boolean
}

/** The parameters of a resume. `unanswered` is a resume without a response, which may have consumed the token. */
interface ResumePoint {
  binding: Binding
  resumeToken: string
  unanswered?: string
}

type Mode = ControlSync['mode']

type Progress =
  | { is: 'offline' }
  | { is: 'requested'; mode: Mode; requestId: string }
  | { is: 'catching-up'; mode: Mode; requestId: string }
  | { is: 'done'; requestId: string; awaitsNewStream: boolean }

/** Requests the state of the streams and detects when it is complete (rules C1 to C8). */
export class Sync {
  #env: Environment
  #streams: ConnectionStreams
  #send: (frame: ControlFrame) => unknown
  #events: SyncEvents
  #instanceId: string
  #resumePoint: ResumePoint | null = null
  #progress: Progress = { is: 'offline' }
  #limits: ProtocolLimits | null = null
  #timeout: Timer

  constructor(
    env: Environment,
    streams: ConnectionStreams,
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

  /** Whether a frame with this binding belongs to the current incarnation of the connection (rule C9). */
  isCurrent(binding: Binding): boolean {
    const own = this.#resumePoint?.binding
    return (
      this.#progress.is !== 'offline' &&
      own?.logical_connection_id === binding.logical_connection_id &&
      own.binding_generation === binding.binding_generation
    )
  }

  /** Whether a snapshot belongs to the last sync with a result. */
  isLastRequest(requestId: string): boolean {
    const progress = this.#progress
    return progress.is !== 'offline' && progress.is !== 'requested' && progress.requestId === requestId
  }

  /** After a login: resumes where that is possible, otherwise syncs fresh. */
  start(limits: ProtocolLimits): void {
    this.#limits = limits
    const resumePoint = this.#resumePoint
    if (resumePoint) this.#requestResume(resumePoint)
    else this.#requestFresh()
  }

  #requestFresh(): void {
    this.#resumePoint = null
    this.#request('fresh', { mode: 'fresh', cursors: [] })
  }

  #requestResume({ binding, resumeToken, unanswered }: ResumePoint): void {
    const previous = unanswered === undefined ? {} : { previous_request_id: unanswered }
    const resume = { binding, resume_token: resumeToken, ...previous }
    this.#request('resume', { mode: 'resume', cursors: this.#streams.cursors(), resume })
  }

  /** Within a ready connection, one at a time. */
  resync(): void {
    if (this.#progress.is === 'done') this.#requestResync()
  }

  result(result: ControlSyncResult): void {
    const progress = this.#progress
    if (progress.is !== 'requested' || progress.requestId !== result.request_id) return
    switch (result.status) {
      case 'ready':
        this.#accept(result, progress)
        break
      case 'retry_later':
        this.#events.failed({ is: 'retry-later', afterMs: result.error.retry_after_ms })
        break
      case 'resume_rejected':
        if (progress.mode === 'fresh') this.#events.failed({ is: 'invalid-frame', code: result.error.code })
        else if (!isElsewhere(result.error) || !this.#events.elsewhere()) this.#requestFresh()
    }
  }

  /** MUST be called after every change of a stream. */
  onStreamProgress(): void {
    const progress = this.#progress
    if (progress.is === 'catching-up') {
      if (this.#streams.areSynced) this.#finish(progress)
      else if (this.#streams.haveGap && progress.mode === 'resume') this.#requestResync()
    } else if (progress.is === 'done') {
      if (this.#streams.haveGap) this.#requestResync()
      else this.#awaitNewStreams(progress)
    }
  }

  onDisconnected({ fresh }: { fresh: boolean }): void {
    const progress = this.#progress
    this.#timeout.stop()
    this.#progress = { is: 'offline' }
    if (fresh) this.#resumePoint = null
    if (this.#resumePoint && progress.is === 'requested' && progress.mode === 'resume')
      this.#resumePoint = { ...this.#resumePoint, unanswered: progress.requestId }
    // An incomplete fresh sync cannot be resumed: its snapshots are missing.
    if (progress.is === 'catching-up' && progress.mode === 'fresh') this.#resumePoint = null
  }

  #finish({ mode, requestId }: Extract<Progress, { is: 'catching-up' }>): void {
    if (!this.#resumePoint) return
    this.#timeout.stop()
    this.#progress = { is: 'done', requestId, awaitsNewStream: false }
    this.#events.ready(this.#resumePoint.binding, mode === 'fresh')
    this.onStreamProgress()
  }

  /** The server sends the state of a stream that begins between two syncs; a resync follows when it does not (C8). */
  #awaitNewStreams(done: Extract<Progress, { is: 'done' }>): void {
    const awaitsNewStream = this.#streams.haveNew
    if (awaitsNewStream === done.awaitsNewStream) return
    this.#progress = { ...done, awaitsNewStream }
    if (awaitsNewStream) this.#timeout.start(this.#limits?.sync_timeout_ms ?? 0, () => this.resync())
    else this.#timeout.stop()
  }

  #requestResync(): void {
    if (!this.#resumePoint) return
    const { binding } = this.#resumePoint
    this.#request('resync', { mode: 'resync', cursors: this.#streams.cursors(), binding })
  }

  #request<M extends Mode>(
    mode: M,
    content: Omit<Extract<ControlSync, { mode: M }>, 'request_id' | 'control_instance_id'>,
  ): void {
    const requestId = newId(this.#env)
    this.#progress = { is: 'requested', mode, requestId }
    this.#timeout.start(this.#limits?.sync_timeout_ms ?? 0, () => this.#events.failed({ is: 'sync-timeout' }))
    if (mode !== 'resync') this.#events.syncing(mode)
    const control_sync = { request_id: requestId, control_instance_id: this.#instanceId, ...content }
    this.#send({ control_sync: control_sync as unknown as ControlSync })
  }

  #accept(
    { binding, resume_token, streams }: Extract<ControlSyncResult, { status: 'ready' }>,
    { mode, requestId }: Extract<Progress, { is: 'requested' }>,
  ): void {
    if (mode === 'resume' && !continues(this.#resumePoint?.binding, binding)) {
      this.#events.failed({ is: 'invalid-frame', code: 'stale_binding' })
      return
    }
    this.#resumePoint = { binding, resumeToken: resume_token }
    this.#progress = { is: 'catching-up', mode, requestId }
    this.#streams.startSync(streams, mode)
    this.onStreamProgress()
  }
}

/** The same connection in a later incarnation: the next one, or a later one when responses to resumes were lost. */
function continues(previous: Binding | undefined, next: Binding): boolean {
  return (
    previous?.logical_connection_id === next.logical_connection_id &&
    isAfter(next.binding_generation, previous.binding_generation)
  )
}

const isElsewhere = ({ extensions }: ControlError) => extensions?.reason === 'elsewhere'
