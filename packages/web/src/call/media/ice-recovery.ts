import type { TransportState } from '../ports.ts'

/** Browsers say `disconnected` only after seconds without an answer: there is little left to wait out. */
const GRACE_MS = 500
const RESTART_TIMEOUT_MS = 5_000

export interface IceRecoveryActions {
  /** Restarts ICE at the same endpoint; `signal` is aborted when the restart is not wanted any more. */
  restart(signal: AbortSignal): Promise<void>
  /** Replaces the endpoint. */
  reopen(): void
}

type State =
  | { is: 'idle' }
  | { is: 'grace'; timer: ReturnType<typeof setTimeout> }
  | { is: 'restarting'; timer: ReturnType<typeof setTimeout>; abort: AbortController }

/**
 * What to do about a transport that carries nothing: a short gap is waited out, a longer one gets an ICE restart,
 * and what that does not repair gets another endpoint. Without the control channel nothing of this is possible, so
 * all of it begins when the channel is back.
 */
export class IceRecovery {
  readonly #actions: IceRecoveryActions
  #transport: TransportState = 'new'
  #hasControl = true
  #state: State = { is: 'idle' }

  constructor(remedies: IceRecoveryActions) {
    this.#actions = remedies
  }

  onTransportState(state: TransportState): void {
    this.#transport = state
    if (this.#state.is === 'restarting' || !this.#hasControl) return
    if (state === 'connected') this.#transition({ is: 'idle' })
    if (state === 'disconnected')
      this.#transition({ is: 'grace', timer: setTimeout(() => this.restart(), GRACE_MS) })
    if (state === 'failed') this.restart()
  }

  onControl(isReady: boolean): void {
    if (this.#hasControl === isReady) return
    this.#hasControl = isReady
    if (!isReady) this.#transition({ is: 'idle' })
    else if (this.#transport === 'disconnected' || this.#transport === 'failed') this.restart()
  }

  /** Also when nothing seems wrong: another network means another path. */
  restart(): void {
    if (this.#state.is === 'restarting' || !this.#hasControl) return
    const abort = new AbortController()
    const timer = setTimeout(() => this.#onTimeout(), RESTART_TIMEOUT_MS)
    const state: State = { is: 'restarting', timer, abort }
    this.#transition(state)
    this.#actions.restart(abort.signal).catch(() => {
      if (this.#state === state) this.#onRestartRefused()
    })
  }

  /** The endpoint is closed; the next one begins anew. */
  stop(): void {
    this.#transport = 'new'
    this.#transition({ is: 'idle' })
  }

  #onTimeout(): void {
    if (this.#transport === 'connected' || this.#transport === 'new') this.#transition({ is: 'idle' })
    else this.#reopen()
  }

  /** While media flows, a server that cannot be asked is no reason to stop it. */
  #onRestartRefused(): void {
    if (this.#transport === 'connected') this.#transition({ is: 'idle' })
    else this.#reopen()
  }

  #reopen(): void {
    this.#transition({ is: 'idle' })
    this.#actions.reopen()
  }

  #transition(state: State): void {
    const before = this.#state
    this.#state = state
    if (before.is !== 'idle') clearTimeout(before.timer)
    if (before.is === 'restarting') before.abort.abort()
  }
}
