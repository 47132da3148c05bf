import type { PeerState } from '../ports.ts'

/** Browsers say `disconnected` only after seconds without an answer: there is little left to wait out. */
const GRACE_MS = 500
const RESTARTS_WITHIN_MS = 5_000

export interface IceRemedies {
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
  readonly #remedies: IceRemedies
  #peer: PeerState = 'new'
  #hasControl = true
  #state: State = { is: 'idle' }

  constructor(remedies: IceRemedies) {
    this.#remedies = remedies
  }

  onPeerState(state: PeerState): void {
    this.#peer = state
    if (this.#state.is === 'restarting' || !this.#hasControl) return
    if (state === 'connected') this.#become({ is: 'idle' })
    if (state === 'disconnected')
      this.#become({ is: 'grace', timer: setTimeout(() => this.restart(), GRACE_MS) })
    if (state === 'failed') this.restart()
  }

  onControl(isReady: boolean): void {
    if (this.#hasControl === isReady) return
    this.#hasControl = isReady
    if (!isReady) this.#become({ is: 'idle' })
    else if (this.#peer === 'disconnected' || this.#peer === 'failed') this.restart()
  }

  /** Also when nothing seems wrong: another network means another path. */
  restart(): void {
    if (this.#state.is === 'restarting' || !this.#hasControl) return
    const abort = new AbortController()
    const timer = setTimeout(() => this.#judge(), RESTARTS_WITHIN_MS)
    const state: State = { is: 'restarting', timer, abort }
    this.#become(state)
    this.#remedies.restart(abort.signal).catch(() => {
      if (this.#state === state) this.#refused()
    })
  }

  /** The endpoint is closed; the next one begins anew. */
  stop(): void {
    this.#peer = 'new'
    this.#become({ is: 'idle' })
  }

  #judge(): void {
    if (this.#peer === 'connected' || this.#peer === 'new') this.#become({ is: 'idle' })
    else this.#giveUp()
  }

  /** While media flows, a server that cannot be asked is no reason to stop it. */
  #refused(): void {
    if (this.#peer === 'connected') this.#become({ is: 'idle' })
    else this.#giveUp()
  }

  #giveUp(): void {
    this.#become({ is: 'idle' })
    this.#remedies.reopen()
  }

  #become(state: State): void {
    const before = this.#state
    this.#state = state
    if (before.is !== 'idle') clearTimeout(before.timer)
    if (before.is === 'restarting') before.abort.abort()
  }
}
