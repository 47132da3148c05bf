import { backoffMs } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import { Observable } from '../../observable.ts'
import type { CurrentSession } from '../current-session.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Membership } from '../membership.ts'
import type { PeerState, Place } from '../ports.ts'
import { Endpoint, type EndpointParts } from './endpoint.ts'
import { IceRecovery } from './ice-recovery.ts'
import { isAfter } from './is-after.ts'

export type MediaState =
  | { is: 'closed' } // not in the conference
  | { is: 'opening' }
  | { is: 'open'; endpoint: Endpoint }
  | { is: 'waiting' } // it did not work, and is tried again
  | { is: 'unavailable' } // this browser or this server has no media

const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 10_000

/** The state of the WebRTC transports of the present endpoint. */
class TransportState extends Observable<PeerState> {
  constructor() {
    super('new')
  }

  follow = (state: PeerState): void => this.set(state)
}

export const carriesMedia = (state: PeerState): boolean => state !== 'disconnected' && state !== 'failed'

/** Keeps an endpoint open as long as the participant is inside, a new one after each loss of the old one. */
export class MediaConnection extends Observable<MediaState> {
  readonly transport = new TransportState()
  readonly #parts: EndpointParts
  readonly #session: CurrentSession
  readonly #ice: IceRecovery
  #place: Place | null = null
  /** Aborted when another endpoint, or none, takes the place of what is being opened. */
  #attempt = new AbortController()
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: EndpointParts, membership: Membership, session: CurrentSession, life: Lifetime) {
    super({ is: 'closed' })
    const { control } = parts
    this.#parts = parts
    this.#session = session
    this.#ice = new IceRecovery({
      restart: signal => this.#restart(signal),
      reopen: () => void this.#open(),
    })
    life.own(() => this.#shut())
    life.own(
      membership.subscribe(() => {
        const state = membership.get()
        this.#goTo(state.is === 'inside' ? state.place : null)
      }),
    )
    life.own(session.subscribe(() => this.#follow()))
    life.own(control.state.subscribe(() => this.#onControl(control.state.get().is === 'ready')))
  }

  /** The network is another one, or back. */
  readonly networkChanged = (): void => {
    const state = this.get()
    if (state.is === 'open') this.#ice.restart()
    else if (state.is === 'waiting') void this.#open()
  }

  /** The server does not know the present endpoint any more; or this one, if that is still it. */
  readonly renew = (endpoint?: Endpoint): void => {
    const state = this.get()
    if (state.is !== 'open' || (endpoint && endpoint !== state.endpoint)) return
    this.#closeEndpoint()
    this.#retry()
  }

  #goTo(place: Place | null): void {
    if (place === this.#place) return
    this.#place = place
    this.#failures = 0
    if (place) void this.#open()
    else this.#shut()
  }

  /** What failed without the control channel is tried again at once, and as if for the first time. */
  #onControl(isReady: boolean): void {
    this.#ice.onControl(isReady)
    if (!isReady || this.get().is !== 'waiting') return
    this.#failures = 0
    void this.#open()
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
    const { signal } = this.#attempt
    this.set({ is: 'opening' })
    try {
      const endpoint = await Endpoint.open(this.#parts, place, {
        signal,
        onState: state => signal.aborted || this.#onPeerState(state),
        onLost: () => signal.aborted || this.renew(),
      })
      if (signal.aborted) return endpoint.close()
      if (this.#isDead(endpoint)) {
        endpoint.close()
        throw new Error('moved meanwhile')
      }
      this.#failures = 0
      this.set({ is: 'open', endpoint })
    } catch (error) {
      if (!signal.aborted) this.#failed(error)
    }
  }

  #onPeerState(state: PeerState): void {
    this.transport.follow(state)
    this.#ice.onPeerState(state)
  }

  #failed(error: unknown): void {
    if (isHopeless(error)) this.set({ is: 'unavailable' })
    else this.#retry()
  }

  #retry(): void {
    const delayMs = backoffMs(this.#failures++, { firstMs: RETRY_FIRST_MS, maxMs: RETRY_MAX_MS })
    this.#timer = setTimeout(() => void this.#open(), delayMs)
    this.set({ is: 'waiting' })
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const state = this.get()
    if (state.is === 'open') await state.endpoint.restartIce(signal)
  }

  #shut(): void {
    this.#closeEndpoint()
    this.set({ is: 'closed' })
  }

  #closeEndpoint(): void {
    clearTimeout(this.#timer)
    this.#attempt.abort()
    this.#attempt = new AbortController()
    this.#ice.stop()
    this.transport.follow('new')
    const state = this.get()
    if (state.is === 'open') state.endpoint.close()
  }
}

/** mediasoup-client's error for a browser that it cannot use has this name. */
const isHopeless = (error: unknown) =>
  error instanceof ControlFailure
    ? error.code === 'unsupported_feature'
    : error instanceof Error && error.name === 'UnsupportedError'
