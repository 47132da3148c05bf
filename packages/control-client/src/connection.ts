import { type Readable, WritableObservable } from '@lectern/common'
import type { Binding, ControlFrame } from '@lectern/protocol/control/client'
import { ConnectionAttempt, type ServerFrame, type Welcome } from './connection-attempt.ts'
import type { DisconnectReason } from './disconnect-reason.ts'
import type { Environment } from './environment.ts'
import type { Credentials, User } from './login.ts'
import { type EndReason, type ReconnectDecision, ReconnectPolicy } from './reconnect-policy.ts'
import { Timer } from './timer.ts'

export type ConnectionState =
  | { is: 'idle' }
  | { is: 'connecting'; attempt: number }
  | { is: 'logging-in'; attempt: number }
  | { is: 'syncing'; mode: 'fresh' | 'resume'; user: User }
  | { is: 'ready'; user: User; binding: Binding }
  | { is: 'waiting'; until: number; attempt: number; reason: string }
  | { is: 'ended'; reason: EndReason }

export interface ConnectionOptions {
  url: string
  /** The conference that the connection is for, if it is known from the beginning. */
  conference?: string | undefined
  /** A ready connection that is silent for this long is probed (rule C22). */
  silenceMs: number
  /** The longest delay between two attempts; absent: the default (rule C16). */
  backoffCapMs?: number | undefined
  credentials: (tokenRefusal: string | undefined) => Promise<Credentials | null>
}

export interface ConnectionEvents {
  /** Logged in; the listener starts a sync. */
  welcome(welcome: Welcome): void
  frame(frame: ServerFrame, text: string): void
  /** The listener sends a request that the server MUST answer. */
  probe(): void
  /** `fresh`: the connection cannot be resumed. */
  disconnected(how: { fresh: boolean }): void
  ended(): void
}

/** The close code of a client that will reconnect: any but 1000 and 1001 (rule C27). */
const RECONNECTING = 4000
/** Until a connection is ready: a server that takes a session over may hold a new socket for some seconds. */
const OPENING_MS = 20_000
/** A server that lives answers a command within a second, if only with `received`. */
const ANSWER_MS = 4_000
/** How long the answer to a probe may take: twice as long after each probe in vain, in case the server is merely slow. */
const PROBE_MS = 5_000
const PROBE_MAX_MS = 20_000

/** Keeps one connection alive: connects, waits and reconnects until `close()` or a final refusal. */
export class Connection {
  #state = new WritableObservable<ConnectionState>({ is: 'idle' })
  #env: Environment
  #options: ConnectionOptions
  #events: ConnectionEvents
  #reconnectPolicy: ReconnectPolicy
  #attempt: ConnectionAttempt
  #silenceTimer: Timer
  #retryTimer: Timer
  /** Whether `retryOrProbe()` may shorten the current wait. */
  #canRetryEarly = false
  #probedAt: number | null = null
  #probeMs = PROBE_MS
  /** When the present silence is over. */
  #silentUntil = 0
  #conference: string | undefined
  #readySince = Number.POSITIVE_INFINITY

  constructor(env: Environment, options: ConnectionOptions, events: ConnectionEvents) {
    this.#env = env
    this.#options = options
    this.#conference = options.conference
    this.#events = events
    this.#reconnectPolicy = new ReconnectPolicy(env.random, options.backoffCapMs)
    this.#silenceTimer = new Timer(env)
    this.#retryTimer = new Timer(env)
    this.#attempt = this.#newAttempt(0)
  }

  get state(): Readable<ConnectionState> {
    return this.#state
  }

  open(): void {
    if (this.#state.get().is === 'idle') this.#startAttempt(0)
  }

  close(): void {
    this.#end({ is: 'closed' })
  }

  /** The network or the machine is back: retries at once, or probes a ready connection (rule C18). */
  retryOrProbe(): void {
    const state = this.#state.get()
    if (state.is === 'waiting' && this.#canRetryEarly) this.#startAttempt(state.attempt)
    else if (state.is === 'ready') this.#probe()
  }

  send = (frame: ControlFrame): boolean => this.#attempt.send(frame)

  /** A command was sent: a server that hangs shows sooner (rule C22). */
  expectAnswer(): void {
    if (this.#state.get().is !== 'ready' || this.#probedAt !== null) return
    if (this.#env.now() + ANSWER_MS < this.#silentUntil) this.#awaitActivity(ANSWER_MS)
  }

  syncing(mode: 'fresh' | 'resume'): void {
    const state = this.#state.get()
    if ('user' in state) this.#state.set({ is: 'syncing', mode, user: state.user })
  }

  ready(binding: Binding): void {
    const state = this.#state.get()
    if (!('user' in state)) return
    if (state.is === 'ready' && state.binding.binding_generation === binding.binding_generation) return
    if (state.is === 'syncing') this.#readySince = this.#env.now()
    this.#state.set({ is: 'ready', user: state.user, binding })
    this.#onActivity()
  }

  /** Closes the current attempt; the reason decides what follows (rules C16 to C21). */
  disconnect(reason: DisconnectReason): void {
    const { is } = this.#state.get()
    if (is === 'waiting' || is === 'ended') return
    if (reason.is === 'invalid-frame') this.#closeAttempt(4400, reason.code)
    else this.#closeAttempt(RECONNECTING, 'back_soon')
    const decision = this.#reconnectPolicy.decide(reason)
    this.#events.disconnected({ fresh: decision.is === 'retry' && decision.fresh })
    if (decision.is === 'end') this.#end(decision.reason)
    else this.#scheduleRetry(decision)
  }

  /** Connects again, to the server of the conference. False when no conference is known. */
  goTo(conference = this.#conference): boolean {
    if (conference === undefined) return false
    this.#conference = conference
    this.disconnect({ is: 'elsewhere' })
    return true
  }

  #scheduleRetry(decision: Extract<ReconnectDecision, { is: 'retry' }>): void {
    const { attempt, delayMs, reason, mustBackOff } = decision
    this.#canRetryEarly = !mustBackOff
    this.#retryTimer.start(delayMs, () => this.#startAttempt(attempt))
    this.#state.set({ is: 'waiting', until: this.#env.now() + delayMs, attempt, reason })
  }

  #startAttempt(attempt: number): void {
    this.#retryTimer.stop()
    this.#attempt = this.#newAttempt(attempt)
    this.#state.set({ is: 'connecting', attempt })
    this.#probedAt = null
    this.#awaitActivity(OPENING_MS)
    void this.#attempt.start(async () => this.#options.credentials(this.#reconnectPolicy.tokenRefusal))
  }

  #newAttempt(attempt: number): ConnectionAttempt {
    const to = { url: this.#options.url, conference: this.#conference }
    return new ConnectionAttempt(this.#env, to, {
      loggingIn: () => this.#state.set({ is: 'logging-in', attempt }),
      welcome: welcome => {
        this.#reconnectPolicy.onLogin()
        this.#state.set({ is: 'syncing', mode: 'fresh', user: welcome.user })
        this.#events.welcome(welcome)
      },
      frame: (frame, text) => this.#events.frame(frame, text),
      activity: () => this.#onActivity(),
      disconnected: reason => this.disconnect(reason),
    })
  }

  #onActivity(): void {
    if (this.#probedAt !== null && this.#env.now() - this.#probedAt <= PROBE_MS) this.#probeMs = PROBE_MS
    this.#probedAt = null
    this.#awaitActivity(this.#state.get().is === 'ready' ? this.#options.silenceMs : OPENING_MS)
  }

  #awaitActivity(ms: number): void {
    this.#silentUntil = this.#env.now() + ms
    this.#silenceTimer.start(ms, () => this.#onSilence())
  }

  #onSilence(): void {
    if (this.#state.get().is === 'ready' && this.#probedAt === null) {
      this.#probe()
      return
    }
    if (this.#probedAt !== null) this.#probeMs = Math.min(2 * this.#probeMs, PROBE_MAX_MS)
    this.disconnect({ is: 'silent' })
  }

  #probe(): void {
    this.#awaitActivity(this.#probeMs)
    this.#probedAt = this.#env.now()
    this.#events.probe()
  }

  #end(reason: EndReason): void {
    if (this.#state.get().is === 'ended') return
    this.#closeAttempt(1000, '')
    this.#retryTimer.stop()
    this.#state.set({ is: 'ended', reason })
    this.#events.ended()
  }

  #closeAttempt(code: number, reason: string): void {
    this.#attempt.close(code, reason)
    this.#silenceTimer.stop()
    if (this.#state.get().is === 'ready') this.#reconnectPolicy.onReadyFor(this.#env.now() - this.#readySince)
  }
}
