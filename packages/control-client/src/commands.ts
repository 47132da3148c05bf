import {
  type Binding,
  type CommandName,
  type ControlError,
  type ControlFrame,
  type ControlResult,
  encodeFrame,
  type JsonObject,
  type ProtocolLimits,
  type Target,
  utf8Length,
} from '@lectern/protocol/control/client'
import { type Environment, newId } from './environment.ts'
import { ControlFailure } from './failure.ts'
import type { Pending } from './pending.ts'
import { Timer } from './timer.ts'

export interface CommandOptions {
  /** How long the command is worth beginning. */
  ttlMs?: number
  /** The version that the target must have; `version_conflict` otherwise. */
  expectedVersion?: string
  /** Withdraws the command: it is not sent, or not sent again, and fails with `aborted` (rule C29). */
  signal?: AbortSignal
  /** What `rate_limited` leads to: another try when the server allows it (the default), or a failure at once. */
  whenRateLimited?: 'wait' | 'fail'
}

const COMMAND_TTL_MS = 30_000
/** When the server asks for another try and does not say when. */
const RETRY_AFTER_MS = 1_000
/** More than people can ask for; a caller that asks without end is to notice it (rule C26). */
const PENDING_MAX = 1_000

/** Where commands go while the connection is ready. */
interface Channel {
  binding: Binding
  limits: ProtocolLimits
}

export interface CommandEvents {
  send(frame: ControlFrame): unknown
  /** The server takes the connection's binding for an old one. */
  staleBinding(): void
  resyncRequired(): void
}

/** Every command until it is answered: sent again, with the same id, after each loss (rules C10 to C12, C25). */
export class Commands {
  #env: Environment
  #events: CommandEvents
  /** In the order in which they were given. */
  #pending = new Map<string, Pending>()
  #channel: Channel | null = null
  #retryWindowMs = Number.POSITIVE_INFINITY
  #closed = false
  #starting = false

  constructor(env: Environment, events: CommandEvents) {
    this.#env = env
    this.#events = events
  }

  command(name: CommandName, target: Target, body: JsonObject, options: CommandOptions): Promise<JsonObject> {
    if (this.#closed) return Promise.reject(new ControlFailure('closed'))
    if (this.#pending.size >= PENDING_MAX && !this.#starting)
      return Promise.reject(new ControlFailure('resource_exhausted', 'Too many commands wait for an answer'))
    const {
      ttlMs = COMMAND_TTL_MS,
      expectedVersion: expected_version,
      signal,
      whenRateLimited = 'wait',
    } = options
    if (signal?.aborted) return Promise.reject(new ControlFailure('aborted'))
    const versioned = expected_version === undefined ? {} : { expected_version }
    const content = { command_id: newId(this.#env), target, name, body, ttl_ms: ttlMs, ...versioned }
    return new Promise((resolve, reject) => {
      const notAfter = this.#env.now() + ttlMs
      const pending: Pending = {
        content,
        notAfter,
        timer: new Timer(this.#env),
        resolve,
        reject,
        first: this.#starting,
        ignoreSignal: () => signal?.removeEventListener('abort', abort),
        whenRateLimited,
        life: { is: 'queued' },
      }
      const abort = () => this.#expire(pending, 'aborted')
      signal?.addEventListener('abort', abort)
      this.#pending.set(content.command_id, pending)
      pending.timer.start(ttlMs, () => this.#expire(pending, 'deadline_exceeded'))
      this.#pump()
    })
  }

  /** The commands that `give` gives go before all others, which wait until these are answered (rule C25). */
  start(give: () => void): void {
    this.#starting = true
    give()
    this.#starting = false
  }

  ready(binding: Binding, limits: ProtocolLimits): void {
    this.#channel = { binding, limits }
    this.#retryWindowMs = limits.command_retry_window_ms
    this.#pump()
  }

  /** The connection is not ready any more; whatever was under way has to be sent again. */
  paused(): void {
    this.#channel = null
    for (const pending of this.#pending.values())
      if (pending.life.is === 'sent') pending.life = { ...pending.life, is: 'unsure' }
  }

  close(): void {
    this.#closed = true
    for (const pending of [...this.#pending.values()])
      this.#fail(pending, new ControlFailure(pending.life.is === 'queued' ? 'closed' : 'outcome_unknown'))
  }

  result(result: ControlResult): void {
    const pending = this.#pending.get(result.command_id)
    if (!pending || result.status === 'received') return
    if (result.status === 'committed' || result.status === 'applied') {
      this.#forget(pending)
      pending.resolve(result.data ?? {})
    } else if ('error' in result) this.#refused(pending, result.error)
    this.#pump()
  }

  #refused(pending: Pending, error: ControlError): void {
    switch (error.code) {
      case 'stale_binding':
        if (pending.life.is !== 'sent') return
        pending.life = { ...pending.life, is: 'unsure' }
        this.#events.staleBinding()
        return
      case 'rate_limited':
        if (pending.whenRateLimited === 'fail') this.#fail(pending, ControlFailure.from(error))
        else this.#postpone(pending, error, pending.notAfter)
        return
      case 'temporarily_unavailable':
        this.#postpone(pending, error, pending.notAfter)
        return
      case 'outcome_unknown':
        this.#postpone(pending, error, Number.POSITIVE_INFINITY)
        return
      default:
        this.#fail(pending, ControlFailure.from(error))
        if (error.code === 'resync_required') this.#events.resyncRequired()
    }
  }

  /** Sends it again later, if that is not too late. */
  #postpone(pending: Pending, error: ControlError, notAfter: number): void {
    const { life } = pending
    if (life.is !== 'sent') return
    const delayMs = error.retry_after_ms ?? RETRY_AFTER_MS
    const at = this.#env.now() + delayMs
    if (at > Math.min(notAfter, life.firstSentAt + this.#retryWindowMs)) {
      this.#fail(pending, ControlFailure.from(error))
      return
    }
    pending.life = { is: 'postponed', firstSentAt: life.firstSentAt }
    pending.timer.start(delayMs, () => {
      pending.life = { is: 'unsure', firstSentAt: life.firstSentAt }
      this.#awaitEndOfWindow(pending, life.firstSentAt)
      this.#pump()
    })
  }

  /** Sends what there is room for. */
  #pump(): void {
    let inFlight = [...this.#pending.values()].filter(({ life }) => life.is === 'sent').length
    for (const pending of this.#next()) {
      if (!this.#channel || inFlight >= this.#channel.limits.max_inflight_commands) return
      if (pending.life.is !== 'queued' && pending.life.is !== 'unsure') continue
      if (this.#sendOn(this.#channel, pending)) inFlight++
    }
  }

  #next(): Pending[] {
    const all = [...this.#pending.values()]
    const first = all.filter(pending => pending.first)
    return first.length > 0 ? first : all
  }

  #sendOn({ binding, limits }: Channel, pending: Pending): boolean {
    const frame = { control_command: { binding, ...pending.content } }
    if (utf8Length(encodeFrame(frame)) > limits.max_frame_bytes) {
      this.#fail(
        pending,
        new ControlFailure('resource_exhausted', 'The command is larger than a frame may be'),
      )
      return false
    }
    const { life } = pending
    const firstSentAt = life.is === 'queued' ? this.#env.now() : life.firstSentAt
    pending.life = { is: 'sent', firstSentAt }
    this.#awaitEndOfWindow(pending, firstSentAt)
    this.#events.send(frame)
    return true
  }

  /** The server remembers the id for so long; sending it later could make it happen twice. */
  #awaitEndOfWindow(pending: Pending, firstSentAt: number): void {
    const ms = firstSentAt + this.#retryWindowMs - this.#env.now()
    pending.timer.start(Math.max(0, ms), () => this.#expire(pending, 'outcome_unknown'))
  }

  /** Makes room for those that waited for it. */
  #expire(pending: Pending, code: 'aborted' | 'deadline_exceeded' | 'outcome_unknown'): void {
    this.#fail(pending, new ControlFailure(code))
    this.#pump()
  }

  #fail(pending: Pending, failure: ControlFailure): void {
    this.#forget(pending)
    pending.reject(failure)
  }

  #forget({ content, timer, ignoreSignal }: Pending): void {
    timer.stop()
    ignoreSignal()
    this.#pending.delete(content.command_id)
  }
}
