import type { TransportState } from '../ports.ts'

/** Browsers report `disconnected` only after seconds without a response, so little grace is left. */
const GRACE_MS = 500
const RESTART_TIMEOUT_MS = 5_000

export interface IceRecoveryActions {
  /** Restarts ICE on the same endpoint; `signal` aborts an obsolete restart. */
  restart(signal: AbortSignal): Promise<void>
  /** Replaces the endpoint. */
  reopen(): void
}

type State =
  | { is: 'idle' }
  | { is: 'grace'; timer: ReturnType<typeof setTimeout> }
  | { is: 'restarting'; timer: ReturnType<typeof setTimeout>; abort: AbortController }

/**
 * Recovers a transport that carries nothing: a short interruption is waited out, a longer one causes an ICE
 * restart, and if that fails, a new endpoint. All of this needs the control channel, so it starts when that is
 * back.
 */
export class IceRecovery {
  readonly #actions: IceRecoveryActions
  #transport: TransportState = 'new'
  #hasControl = true
  #state: State = { is: 'idle' }

  constructor(actions: IceRecoveryActions) {
    this.#actions = actions
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

  /** Also called without a fault: another network means another path. */
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

  /** The endpoint is closed; the next one starts afresh. */
  stop(): void {
    this.#transport = 'new'
    this.#transition({ is: 'idle' })
  }

  #onTimeout(): void {
    if (this.#transport === 'connected' || this.#transport === 'new') this.#transition({ is: 'idle' })
    else this.#reopen()
  }

  /** As long as media flows, a failed request is no reason to stop it. */
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
