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
import type { CommandOptions, PendingCommand } from './pending-command.ts'
import { Timer } from './timer.ts'

const COMMAND_TTL_MS = 30_000
/** The retry delay where the server names none. */
const RETRY_AFTER_MS = 1_000
/** Bounds the memory that a runaway caller can use (rule C26). */
const PENDING_MAX = 1_000

/** The channel for commands while the connection is ready. */
interface Channel {
  binding: Binding
  limits: ProtocolLimits
}

export interface CommandEvents {
  send(frame: ControlFrame): unknown
  /** The server rejected the connection's binding as outdated. */
  staleBinding(): void
  resyncRequired(): void
  /** Another server runs the conference of this command. False: it is not known how to get there. */
  elsewhere(target: Target): boolean
}

/** All commands without a result; each is sent again, with the same id, after a disconnect (rules C10 to C12, C25). */
export class Commands {
  #env: Environment
  #events: CommandEvents
  /** In the order of issue. */
  #pending = new Map<string, PendingCommand>()
  #channel: Channel | null = null
  #retryWindowMs = Number.POSITIVE_INFINITY
  #isClosed = false
  #isStarting = false

  constructor(env: Environment, events: CommandEvents) {
    this.#env = env
    this.#events = events
  }

  command(name: CommandName, target: Target, body: JsonObject, options: CommandOptions): Promise<JsonObject> {
    if (this.#isClosed) return Promise.reject(new ControlFailure('closed'))
    if (this.#pending.size >= PENDING_MAX && !this.#isStarting)
      return Promise.reject(new ControlFailure('resource_exhausted', 'Too many commands are pending'))
    if (options.signal?.aborted) return Promise.reject(new ControlFailure('aborted'))
    const {
      commandId = newId(this.#env),
      ttlMs = COMMAND_TTL_MS,
      expectedVersion: expected_version,
    } = options
    const versioned = expected_version === undefined ? {} : { expected_version }
    const content = { command_id: commandId, target, name, body, ttl_ms: ttlMs, ...versioned }
    return new Promise((resolve, reject) => {
      const pending = this.#begin(content, { resolve, reject, isStartCommand: this.#isStarting, options })
      this.#pending.set(commandId, pending)
      this.#sendNext()
    })
  }

  #begin(
    content: PendingCommand['content'],
    issued: Pick<PendingCommand, 'resolve' | 'reject' | 'isStartCommand' | 'options'>,
  ): PendingCommand {
    const { signal } = issued.options
    const pending: PendingCommand = {
      ...issued,
      content,
      deadline: this.#env.now() + content.ttl_ms,
      timer: new Timer(this.#env),
      removeAbortListener: () => signal?.removeEventListener('abort', abort),
      state: { is: 'queued' },
    }
    const abort = () => this.#expire(pending, 'aborted')
    signal?.addEventListener('abort', abort)
    pending.timer.start(content.ttl_ms, () => this.#expire(pending, 'deadline_exceeded'))
    return pending
  }

  /** Commands that `issue` issues are sent before all others, which wait for their results (rule C25). */
  start(issue: () => void): void {
    this.#isStarting = true
    issue()
    this.#isStarting = false
  }

  ready(binding: Binding, limits: ProtocolLimits): void {
    this.#channel = { binding, limits }
    this.#retryWindowMs = limits.command_retry_window_ms
    this.#sendNext()
  }

  /** Commands in flight will be sent again on the next connection. */
  onDisconnected(): void {
    this.#channel = null
    for (const pending of this.#pending.values())
      if (pending.state.is === 'sent') pending.state = { ...pending.state, is: 'unconfirmed' }
  }

  close(): void {
    this.#isClosed = true
    for (const pending of [...this.#pending.values()])
      this.#fail(pending, new ControlFailure(pending.state.is === 'queued' ? 'closed' : 'outcome_unknown'))
  }

  result(result: ControlResult): void {
    const pending = this.#pending.get(result.command_id)
    if (!pending || result.status === 'received') return
    if (result.status === 'committed' || result.status === 'applied') {
      this.#remove(pending)
      pending.resolve(result.data ?? {})
    } else if ('error' in result) this.#onRefused(pending, result.error)
    this.#sendNext()
  }

  #onRefused(pending: PendingCommand, error: ControlError): void {
    switch (error.code) {
      case 'stale_binding':
        if (pending.state.is !== 'sent') return
        pending.state = { ...pending.state, is: 'unconfirmed' }
        this.#events.staleBinding()
        return
      case 'rate_limited':
        if (pending.options.whenRateLimited === 'fail') this.#fail(pending, ControlFailure.from(error))
        else this.#postpone(pending, error, pending.deadline)
        return
      case 'temporarily_unavailable':
        if (error.extensions?.reason === 'elsewhere') this.#sendElsewhere(pending, error)
        else this.#postpone(pending, error, pending.deadline)
        return
      case 'outcome_unknown':
        this.#postpone(pending, error, Number.POSITIVE_INFINITY)
        return
      default:
        this.#fail(pending, ControlFailure.from(error))
        if (error.code === 'resync_required') this.#events.resyncRequired()
    }
  }

  /** The command had no effect. It is sent again on the next connection, which leads to the right server (rule C31). */
  #sendElsewhere(pending: PendingCommand, error: ControlError): void {
    const { state, content, deadline } = pending
    if (state.is !== 'sent') return
    if (this.#env.now() >= deadline) {
      this.#fail(pending, ControlFailure.from(error))
      return
    }
    pending.state = { ...state, is: 'unconfirmed' }
    if (this.#events.elsewhere(content.target)) return
    pending.state = state
    this.#postpone(pending, error, deadline)
  }

  /** Schedules a retry, if there is time left for one. */
  #postpone(pending: PendingCommand, error: ControlError, deadline: number): void {
    const { state } = pending
    if (state.is !== 'sent') return
    const delayMs = error.retry_after_ms ?? RETRY_AFTER_MS
    const retryAt = this.#env.now() + delayMs
    if (retryAt > Math.min(deadline, state.firstSentAt + this.#retryWindowMs)) {
      this.#fail(pending, ControlFailure.from(error))
      return
    }
    pending.state = { is: 'postponed', firstSentAt: state.firstSentAt }
    pending.timer.start(delayMs, () => {
      pending.state = { is: 'unconfirmed', firstSentAt: state.firstSentAt }
      this.#startRetryWindow(pending, state.firstSentAt)
      this.#sendNext()
    })
  }

  /** Sends as many commands as `max_inflight_commands` allows. */
  #sendNext(): void {
    let inFlight = [...this.#pending.values()].filter(({ state }) => state.is === 'sent').length
    for (const pending of this.#sendable()) {
      if (!this.#channel || inFlight >= this.#channel.limits.max_inflight_commands) return
      if (pending.state.is !== 'queued' && pending.state.is !== 'unconfirmed') continue
      if (this.#sendOn(this.#channel, pending)) inFlight++
    }
  }

  #sendable(): PendingCommand[] {
    const all = [...this.#pending.values()]
    const startCommands = all.filter(pending => pending.isStartCommand)
    return startCommands.length > 0 ? startCommands : all
  }

  #sendOn({ binding, limits }: Channel, pending: PendingCommand): boolean {
    const frame = { control_command: { binding, ...pending.content } }
    if (utf8Length(encodeFrame(frame)) > limits.max_frame_bytes) {
      this.#fail(pending, new ControlFailure('resource_exhausted', 'The command exceeds max_frame_bytes'))
      return false
    }
    const { state } = pending
    const firstSentAt = state.is === 'queued' ? this.#env.now() : state.firstSentAt
    pending.state = { is: 'sent', firstSentAt }
    this.#startRetryWindow(pending, firstSentAt)
    this.#events.send(frame)
    return true
  }

  /** The server remembers a command id for the retry window; a later retry could execute the command twice. */
  #startRetryWindow(pending: PendingCommand, firstSentAt: number): void {
    const ms = firstSentAt + this.#retryWindowMs - this.#env.now()
    pending.timer.start(Math.max(0, ms), () => this.#expire(pending, 'outcome_unknown'))
  }

  #expire(pending: PendingCommand, code: 'aborted' | 'deadline_exceeded' | 'outcome_unknown'): void {
    this.#fail(pending, new ControlFailure(code))
    this.#sendNext()
  }

  #fail(pending: PendingCommand, failure: ControlFailure): void {
    if (pending.options.isRenewed && failure.isRepeatable && !this.#isClosed) {
      this.#renew(pending)
      return
    }
    this.#remove(pending)
    pending.reject(failure)
  }

  /** Later commands may depend on it, as the removal of what it draws: it keeps its place. */
  #renew(old: PendingCommand): void {
    old.timer.stop()
    old.removeAbortListener()
    const renewed = this.#begin({ ...old.content, command_id: newId(this.#env) }, old)
    this.#pending = new Map(
      [...this.#pending.values()].map(each => {
        const next = each === old ? renewed : each
        return [next.content.command_id, next]
      }),
    )
  }

  #remove({ content, timer, removeAbortListener }: PendingCommand): void {
    timer.stop()
    removeAbortListener()
    this.#pending.delete(content.command_id)
  }
}
