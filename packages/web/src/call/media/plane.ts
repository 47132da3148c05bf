import { ControlFailure } from '@lectern/control-client'
import { Observable } from '../../observable.ts'
import type { CurrentSession } from '../current-session.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Membership } from '../membership.ts'
import type { PeerState, Place } from '../ports.ts'
import { Endpoint, type EndpointParts } from './endpoint.ts'
import { Healing } from './healing.ts'
import { isAfter } from './is-after.ts'

export type PlaneState =
  | { is: 'closed' } // not in the conference
  | { is: 'opening' }
  | { is: 'open'; endpoint: Endpoint }
  | { is: 'waiting' } // it did not work, and is tried again
  | { is: 'unavailable' } // this browser or this server has no media

const AGAIN_FIRST_MS = 500
const AGAIN_MOST_MS = 10_000

class Flow extends Observable<boolean> {
  constructor() {
    super(true)
  }

  follow(state: PeerState): void {
    this.set(state !== 'disconnected' && state !== 'failed')
  }
}

/** Keeps an endpoint open as long as the participant is inside, a new one after each loss of the old one. */
export class MediaPlane extends Observable<PlaneState> {
  /** False while an open endpoint carries nothing, and that is being healed. */
  readonly flow = new Flow()
  readonly #parts: EndpointParts
  readonly #session: CurrentSession
  readonly #healing: Healing
  #place: Place | null = null
  #turn = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: EndpointParts, membership: Membership, session: CurrentSession, life: Lifetime) {
    super({ is: 'closed' })
    this.#parts = parts
    this.#session = session
    this.#healing = new Healing({ restart: () => this.#restart(), reopen: () => void this.#open() })
    life.own(() => this.#shut())
    life.own(
      membership.subscribe(() => {
        const state = membership.get()
        this.#goTo(state.is === 'inside' ? state.place : null)
      }),
    )
    life.own(session.subscribe(() => this.#follow()))
  }

  /** The network is another one, or back. */
  readonly networkChanged = (): void => {
    const state = this.get()
    if (state.is === 'open') this.#healing.restart()
    else if (state.is === 'waiting') void this.#open()
  }

  /** The server knows the present endpoint no more; or this one, if that is still it. */
  readonly renew = (endpoint?: Endpoint): void => {
    const state = this.get()
    if (state.is !== 'open' || (endpoint && endpoint !== state.endpoint)) return
    this.#closeEndpoint()
    this.#turn++
    this.#again()
  }

  #goTo(place: Place | null): void {
    if (place === this.#place) return
    this.#place = place
    this.#failures = 0
    if (place) void this.#open()
    else this.#shut()
  }

  /** The routes of the session have moved: what came with an older generation is dead. */
  #follow(): void {
    const state = this.get()
    if (state.is === 'open' && this.#isDead(state.endpoint)) void this.#open()
  }

  #isDead({ routeGeneration }: Endpoint): boolean {
    const newest = this.#session.routeGeneration
    return newest !== null && isAfter(newest, routeGeneration)
  }

  async #open(): Promise<void> {
    const place = this.#place
    this.#closeEndpoint()
    if (!place) return
    const turn = ++this.#turn
    this.set({ is: 'opening' })
    try {
      const isPresent = () => turn === this.#turn
      const endpoint = await Endpoint.open(this.#parts, place, {
        onState: state => isPresent() && this.#hear(state),
        lost: () => isPresent() && this.renew(),
      })
      if (turn !== this.#turn) return endpoint.close()
      if (this.#isDead(endpoint)) {
        endpoint.close()
        throw new Error('moved meanwhile')
      }
      this.#failures = 0
      this.set({ is: 'open', endpoint })
    } catch (error) {
      if (turn === this.#turn) this.#failed(error)
    }
  }

  #hear(state: PeerState): void {
    this.flow.follow(state)
    this.#healing.is(state)
  }

  #failed(error: unknown): void {
    if (isHopeless(error)) {
      this.set({ is: 'unavailable' })
      return
    }
    this.#again()
  }

  #again(): void {
    const delayMs = Math.min(AGAIN_FIRST_MS * 2 ** this.#failures++, AGAIN_MOST_MS)
    this.#timer = setTimeout(() => void this.#open(), delayMs)
    this.set({ is: 'waiting' })
  }

  async #restart(): Promise<void> {
    const state = this.get()
    if (state.is === 'open') await state.endpoint.restartIce()
  }

  #shut(): void {
    this.#turn++
    this.#closeEndpoint()
    this.set({ is: 'closed' })
  }

  #closeEndpoint(): void {
    clearTimeout(this.#timer)
    this.#healing.stop()
    this.flow.follow('new')
    const state = this.get()
    if (state.is === 'open') state.endpoint.close()
  }
}

/** mediasoup-client's error for a browser that it cannot use has this name. */
const isHopeless = (error: unknown) =>
  error instanceof ControlFailure
    ? error.code === 'unsupported_feature'
    : error instanceof Error && error.name === 'UnsupportedError'
