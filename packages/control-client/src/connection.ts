import type { Binding, ControlFrame } from '@lectern/protocol/control/client'
import { Attempt, type ServerFrame, type Welcome } from './attempt.ts'
import type { Environment } from './environment.ts'
import type { Credentials, User } from './login.ts'
import type { Loss } from './loss.ts'
import { Observable, type Readable } from './observable.ts'
import { type EndReason, Patience, type Verdict } from './patience.ts'
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
  /** The server is taken for lost when it is silent twice as long: a check lies between (rule C22). */
  silenceMs: number
  /** The longest wait between two tries; absent: the usual one (rule C16). */
  backoffCapMs?: number | undefined
  credentials: (refusedToken: string | undefined) => Promise<Credentials | null>
}

export interface ConnectionEvents {
  /** Logged in: the state of the streams is to be fetched. */
  welcome(welcome: Welcome): void
  frame(frame: ServerFrame, text: string): void
  /** Something is to be asked for that the server must answer. */
  check(): void
  /** `fresh`: nothing of this connection may be used again. */
  lost(how: { fresh: boolean }): void
  ended(): void
}

/** Why a socket is closed from which the client will come back: any code but 1000 and 1001 (rule C27). */
const BACK_SOON = 4000

/** The life of the connection: it tries, waits and tries again until it is told to end. */
export class Connection {
  #state = new Observable<ConnectionState>({ is: 'idle' })
  #env: Environment
  #options: ConnectionOptions
  #events: ConnectionEvents
  #patience: Patience
  #attempt: Attempt
  #silence: Timer
  #wait: Timer
  /** A wait that the return of the network cuts short. */
  #hurries = false
  #checking = false
  #readySince = Number.POSITIVE_INFINITY

  constructor(env: Environment, options: ConnectionOptions, events: ConnectionEvents) {
    this.#env = env
    this.#options = options
    this.#events = events
    this.#patience = new Patience(env.random, options.backoffCapMs)
    this.#silence = new Timer(env)
    this.#wait = new Timer(env)
    this.#attempt = this.#newAttempt(0)
  }

  get state(): Readable<ConnectionState> {
    return this.#state
  }

  open(): void {
    if (this.#state.get().is === 'idle') this.#try(0)
  }

  close(): void {
    this.#end({ is: 'closed' })
  }

  /** The network or the machine is back: try now, or see whether the connection is still there (rule C18). */
  hurry(): void {
    const state = this.#state.get()
    if (state.is === 'waiting' && this.#hurries) this.#try(state.attempt)
    else if (state.is === 'ready') this.#check()
  }

  send = (frame: ControlFrame): boolean => this.#attempt.send(frame)

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
  }

  /** Ends this try; what follows depends on the loss (rules C16 to C21). */
  lose(loss: Loss): void {
    const { is } = this.#state.get()
    if (is === 'waiting' || is === 'ended') return
    if (loss.is === 'wrong-frame') this.#leave(4400, loss.code)
    else this.#leave(BACK_SOON, 'back_soon')
    const verdict = this.#patience.judge(loss)
    this.#events.lost({ fresh: verdict.is === 'retry' && verdict.fresh })
    if (verdict.is === 'end') this.#end(verdict.reason)
    else this.#waitFor(verdict)
  }

  #waitFor(verdict: Extract<Verdict, { is: 'retry' }>): void {
    const { attempt, delayMs, reason, patient } = verdict
    this.#hurries = !patient
    this.#wait.start(delayMs, () => this.#try(attempt))
    this.#state.set({ is: 'waiting', until: this.#env.now() + delayMs, attempt, reason })
  }

  #try(attempt: number): void {
    this.#wait.stop()
    this.#attempt = this.#newAttempt(attempt)
    this.#alive()
    this.#state.set({ is: 'connecting', attempt })
    void this.#attempt.start(async () => this.#options.credentials(this.#patience.refusedToken))
  }

  #newAttempt(attempt: number): Attempt {
    return new Attempt(this.#env, this.#options.url, {
      loggingIn: () => this.#state.set({ is: 'logging-in', attempt }),
      welcome: welcome => {
        this.#patience.loggedIn()
        this.#state.set({ is: 'syncing', mode: 'fresh', user: welcome.user })
        this.#events.welcome(welcome)
      },
      frame: (frame, text) => this.#events.frame(frame, text),
      alive: () => this.#alive(),
      lost: loss => this.lose(loss),
    })
  }

  #alive(): void {
    this.#checking = false
    this.#silence.start(this.#options.silenceMs, () => this.#silent())
  }

  #silent(): void {
    if (this.#state.get().is === 'ready' && !this.#checking) this.#check()
    else this.lose({ is: 'silent' })
  }

  #check(): void {
    this.#silence.start(this.#options.silenceMs, () => this.#silent())
    this.#checking = true
    this.#events.check()
  }

  #end(reason: EndReason): void {
    if (this.#state.get().is === 'ended') return
    this.#leave(1000, '')
    this.#wait.stop()
    this.#state.set({ is: 'ended', reason })
    this.#events.ended()
  }

  #leave(code: number, reason: string): void {
    this.#attempt.close(code, reason)
    this.#silence.stop()
    if (this.#state.get().is === 'ready') this.#patience.wasReadyFor(this.#env.now() - this.#readySince)
  }
}
