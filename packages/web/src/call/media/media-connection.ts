import { backoffMs, type Lifetime, Observable } from '@lectern/common'
import { ControlFailure, type MediaMessage } from '@lectern/control-client'
import type { CurrentSession } from '../current-session.ts'
import type { Membership } from '../membership.ts'
import type { OpenedEndpoint, ParticipantRef, TransportState } from '../ports.ts'
import { Endpoint, type EndpointTransportOptions } from './endpoint.ts'
import { IceRecovery } from './ice-recovery.ts'
import { isAfter } from './is-after.ts'

export type MediaState =
  | { is: 'closed' } // not in the conference
  | { is: 'opening' }
  | { is: 'open'; endpoint: Endpoint }
  | { is: 'waiting' } // failed, and will be retried
  | { is: 'unavailable' } // the browser or the server does not support media

/** Everybody loses a media worker at the same moment, and does not return at the same moment. */
const RETRY = { firstMs: 500, maxMs: 10_000, jitter: 0.5 }

/** The worse state of the two WebRTC transports of the current endpoint. */
class ObservableTransportState extends Observable<TransportState> {
  constructor() {
    super('new')
  }

  update = (state: TransportState): void => this.set(state)
}

const AWAITED = () => ({ is: 'awaited' as const, received: [] })

export const carriesMedia = (state: TransportState): boolean => state !== 'disconnected' && state !== 'failed'

/** Keeps an endpoint open while the participant is in the conference, and replaces it when it fails. */
export class MediaConnection extends Observable<MediaState> {
  readonly transport = new ObservableTransportState()
  readonly #options: EndpointTransportOptions
  readonly #session: CurrentSession
  readonly #ice: IceRecovery
  #participant: ParticipantRef | null = null
  /** The endpoint that the join opens is known later than what the server sends to it. */
  #first: { is: 'awaited'; received: MediaMessage[] } | { is: 'settled' } = AWAITED()
  /** Aborted when the endpoint that is being opened becomes obsolete. */
  #attempt = new AbortController()
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    parts: EndpointTransportOptions,
    membership: Membership,
    session: CurrentSession,
    lifetime: Lifetime,
  ) {
    super({ is: 'closed' })
    const { control } = parts
    this.#options = parts
    this.#session = session
    this.#ice = new IceRecovery({
      restart: signal => this.#restart(signal),
      reopen: () => void this.#open(),
    })
    lifetime.defer(() => this.#shutDown())
    lifetime.defer(
      membership.subscribe(() => {
        const state = membership.get()
        if (state.is === 'joined') this.#setParticipant(state.participant, state.opened)
        else this.#setParticipant(null)
      }),
    )
    lifetime.defer(
      control.onMedia(message => {
        if (this.#first.is === 'awaited') this.#first.received.push(message)
      }),
    )
    lifetime.defer(session.subscribe(() => this.#onSession()))
    lifetime.defer(control.state.subscribe(() => this.#onControl(control.state.get().is === 'ready')))
  }

  /** The network is back, or has changed. */
  readonly networkChanged = (): void => {
    const state = this.get()
    if (state.is === 'open') this.#ice.restart()
    else if (state.is === 'waiting') void this.#open()
  }

  /**
   * The server does not know the current endpoint any more. With an argument, only if that is still the current
   * one.
   */
  readonly renew = (endpoint?: Endpoint): void => {
    const state = this.get()
    if (state.is !== 'open' || (endpoint && endpoint !== state.endpoint)) return
    this.#closeEndpoint()
    this.#retry()
  }

  #setParticipant(participant: ParticipantRef | null, opened: OpenedEndpoint | null = null): void {
    if (participant === this.#participant) return
    this.#participant = participant
    this.#failures = 0
    if (participant) void this.#open(opened)
    else this.#shutDown()
  }

  /** Failures without the control channel do not count: the next attempt is immediate. */
  #onControl(isReady: boolean): void {
    this.#ice.onControl(isReady)
    if (!isReady || this.get().is !== 'waiting') return
    this.#failures = 0
    void this.#open()
  }

  /** When a media worker of the session has died, endpoints of older generations on no living one are dead. */
  #onSession(): void {
    const state = this.get()
    if (state.is === 'open' && this.#isStale(state.endpoint)) void this.#open()
  }

  #isStale({ routeGeneration, nodeId }: Endpoint): boolean {
    const { route } = this.#session
    if (!route || !isAfter(route.route_generation, routeGeneration)) return false
    return !route.rtc_node_ids?.includes(nodeId)
  }

  async #open(opened: OpenedEndpoint | null = null): Promise<void> {
    const participant = this.#participant
    this.#closeEndpoint()
    if (!participant) return
    const { signal } = this.#attempt
    this.set({ is: 'opening' })
    try {
      const endpoint = await Endpoint.open(this.#options, participant, {
        signal,
        onState: state => signal.aborted || this.#onTransportState(state),
        onGone: () => signal.aborted || this.renew(),
        opened,
        early: this.#first.is === 'awaited' ? this.#first.received : [],
      })
      if (signal.aborted) return endpoint.close()
      if (this.#isStale(endpoint)) {
        endpoint.close()
        throw new Error('moved meanwhile')
      }
      this.#failures = 0
      this.set({ is: 'open', endpoint })
    } catch (error) {
      if (!signal.aborted) this.#onOpenFailed(error)
    } finally {
      if (!signal.aborted) this.#first = { is: 'settled' }
    }
  }

  #onTransportState(state: TransportState): void {
    this.transport.update(state)
    this.#ice.onTransportState(state)
  }

  #onOpenFailed(error: unknown): void {
    if (isUnsupported(error)) this.set({ is: 'unavailable' })
    else this.#retry()
  }

  #retry(): void {
    const delayMs = backoffMs(this.#failures++, RETRY)
    this.#timer = setTimeout(() => void this.#open(), delayMs)
    this.set({ is: 'waiting' })
  }

  async #restart(signal: AbortSignal): Promise<void> {
    const state = this.get()
    if (state.is === 'open') await state.endpoint.restartIce(signal)
  }

  #shutDown(): void {
    this.#closeEndpoint()
    this.#first = AWAITED()
    this.set({ is: 'closed' })
  }

  #closeEndpoint(): void {
    clearTimeout(this.#timer)
    this.#attempt.abort()
    this.#attempt = new AbortController()
    this.#ice.stop()
    this.transport.update('new')
    const state = this.get()
    if (state.is === 'open') state.endpoint.close()
  }
}

/** The name of mediasoup-client's error for unsupported browsers. */
const isUnsupported = (error: unknown) =>
  error instanceof ControlFailure
    ? error.code === 'unsupported_feature'
    : error instanceof Error && error.name === 'UnsupportedError'
