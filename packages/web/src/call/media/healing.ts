import type { PeerState } from '../ports.ts'

/** Browsers say `disconnected` only after seconds without an answer: there is little left to wait out. */
const PATIENCE_MS = 500
const HEALS_WITHIN_MS = 5_000

export interface Remedies {
  /** Looks for another way to the same endpoint. */
  restart(): Promise<void>
  /** Gives the endpoint up for another one. */
  reopen(): void
}

/**
 * What to do about a transport that carries nothing: a short gap is waited out, a longer one gets an ICE restart,
 * and what that does not heal gets another endpoint.
 */
export class Healing {
  readonly #remedies: Remedies
  #state: PeerState = 'new'
  #restarting = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(remedies: Remedies) {
    this.#remedies = remedies
  }

  is(state: PeerState): void {
    this.#state = state
    if (state === 'connected' && !this.#restarting) this.stop()
    if (state === 'disconnected' && !this.#restarting) this.#after(PATIENCE_MS, () => this.restart())
    if (state === 'failed' && !this.#restarting) this.restart()
  }

  /** Also when nothing seems wrong: another network means another way. */
  restart(): void {
    if (this.#restarting) return
    this.#restarting = true
    this.#after(HEALS_WITHIN_MS, () => this.#judge())
    this.#remedies.restart().catch(() => this.#refused())
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#restarting = false
  }

  #judge(): void {
    const healed = this.#state === 'connected' || this.#state === 'new'
    if (healed) this.stop()
    else this.#giveUp()
  }

  /** While media flows, that the server cannot be asked is no reason to stop it. */
  #refused(): void {
    if (this.#state === 'connected') this.stop()
    else this.#giveUp()
  }

  #giveUp(): void {
    if (!this.#restarting) return
    this.stop()
    this.#remedies.reopen()
  }

  #after(ms: number, run: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(run, ms)
  }
}
