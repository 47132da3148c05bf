import { backoffMs, Observable } from '@lectern/common'
import type { Invitation } from './invitation.ts'
import type { Problem, Reason, Resolution } from './resolve.ts'

export type LinkState =
  | { is: 'opening' }
  | { is: 'open'; invitation: Invitation }
  /** Final: a retry would not help. `known`: what the link opened before, on this page. */
  | { is: 'refused'; reason: Reason; code: string | null; known: Invitation | null }
  | { is: 'waiting'; problem: Problem; until: number } // retries automatically at that time
  | { is: 'retrying'; problem: Problem }

const DEFAULT_RATE_LIMIT_MS = 30_000 // when the server gives no delay
const MIN_RATE_LIMIT_MS = 1000 // protects a server that answers "at once" from a tight loop
const MAX_WAIT_MS = 24 * 60 * 60_000
/** A room that opens later may be opened earlier. */
const NOT_OPEN_WAIT_MS = 10 * 60_000
/** Pages that lost the server together do not return together. */
const RETRY = { firstMs: 2_000, maxMs: 60_000, jitter: 0.4 }

/** Resolves a link to its invitation, with retries where they can help. */
export class Link extends Observable<LinkState> {
  readonly #resolveLink: () => Promise<Resolution>
  readonly #backOff: (failures: number) => number
  #isResolving = false
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  constructor(
    resolve: () => Promise<Resolution>,
    backOff = (failures: number) => backoffMs(failures, RETRY),
  ) {
    super({ is: 'opening' })
    this.#resolveLink = resolve
    this.#backOff = backOff
  }

  open(): Promise<void> {
    return this.#resolve()
  }

  /** Retries now instead of later, unless the server has set the time. */
  readonly retry = async (): Promise<void> => {
    const state = this.get()
    if (state.is === 'waiting' && state.problem !== 'rate_limited') await this.#resolve()
  }

  /** Checks whether the room has changed. While that fails, the last state stays. */
  readonly refresh = async (): Promise<void> => {
    if (this.get().is === 'open') await this.#resolve()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #resolve(): Promise<void> {
    if (this.#isResolving) return
    this.#isResolving = true
    clearTimeout(this.#timer)
    const state = this.get()
    if (state.is === 'waiting' && state.problem !== 'not_open')
      this.set({ is: 'retrying', problem: state.problem })
    const resolution = await this.#resolveLink()
    this.#isResolving = false
    if (!this.#closed) this.#settle(resolution)
  }

  #settle(resolution: Resolution): void {
    if (resolution.is !== 'problem') {
      this.#failures = 0
      const before = this.get()
      const known = before.is === 'open' ? before.invitation : null
      this.set(resolution.is === 'refused' ? { ...resolution, known } : resolution)
    } else if (this.get().is !== 'open') {
      this.#waitMs(resolution.problem, resolution.retryAfterMs)
    }
  }

  #waitMs(problem: Problem, retryAfterMs: number | null): void {
    const delayMs = this.#backOff(this.#failures++)
    const requestedMs =
      problem === 'rate_limited'
        ? Math.max(retryAfterMs ?? DEFAULT_RATE_LIMIT_MS, MIN_RATE_LIMIT_MS)
        : Math.max(retryAfterMs ?? 0, delayMs)
    const isEarly = problem === 'not_open'
    const waitMs = Math.min(requestedMs, isEarly ? NOT_OPEN_WAIT_MS : MAX_WAIT_MS)
    this.set({ is: 'waiting', problem, until: Date.now() + (isEarly ? requestedMs : waitMs) })
    this.#timer = setTimeout(() => void this.#resolve(), waitMs)
  }
}
