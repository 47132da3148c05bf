import { type Lifetime, Observable } from '@lectern/common'
import { ControlFailure, type SessionView } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'

/** A recording or transcription, which the server runs on a moderator's request. */
export type ServiceState =
  | { is: 'off' }
  | { is: 'starting' } // requested
  | { is: 'waiting' } // requested some seconds ago; no worker has started yet
  | { is: 'on' }
  | { is: 'stopping' }
  | { is: 'refused'; reason: ServiceRefusal }

/** Each has its text in `texts`. */
export const SERVICE_REFUSALS = [
  'not_moderator',
  'records_itself',
  'administrator_only',
  'transcription_unavailable',
  'language_unavailable',
  'failed', // for a reason that this page does not know
] as const
export type ServiceRefusal = (typeof SERVICE_REFUSALS)[number]

interface Service {
  isOn: (session: SessionView) => boolean
  start: () => Promise<unknown>
  stop: () => Promise<unknown>
}

const START_NOTICE_MS = 4_000

/** Shows the state in the session, and until that follows, the request. */
export class ServiceSwitch extends Observable<ServiceState> {
  readonly #call: Pick<Call, 'get'>
  readonly #service: Service
  #session: string | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(call: Pick<Call, 'get' | 'subscribe'>, service: Service, lifetime: Lifetime) {
    super({ is: 'off' })
    this.#call = call
    this.#service = service
    lifetime.defer(call.subscribe(() => this.#onCall()))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  readonly start = async (): Promise<void> => {
    const { is } = this.get()
    if (is !== 'off' && is !== 'refused') return
    this.set({ is: 'starting' })
    this.#timer = setTimeout(() => {
      if (this.get().is === 'starting') this.set({ is: 'waiting' })
    }, START_NOTICE_MS)
    await this.#request(this.#service.start)
  }

  /** Also cancels a request that has not started yet. */
  readonly stop = async (): Promise<void> => {
    const { is } = this.get()
    if (is === 'off' || is === 'refused' || is === 'stopping') return
    this.set({ is: 'stopping' })
    await this.#request(this.#service.stop)
    if (this.get().is === 'stopping' && !this.#isOn) this.set({ is: 'off' })
  }

  async #request(request: () => Promise<unknown>): Promise<void> {
    try {
      await request()
    } catch (error) {
      this.set({ is: 'refused', reason: refusalOf(error) })
      // A refused stop leaves it on.
      if (this.#isOn) this.set({ is: 'on' })
    }
  }

  #onCall(): void {
    const state = this.#call.get()
    if (state.is !== 'joined') return
    const { conference_session_id: session } = state.session
    const { is } = this.get()
    const isPending = is === 'starting' || is === 'waiting'
    // A request does not carry over to another session.
    const isOther = this.#session !== null && this.#session !== session
    this.#session = session
    if (this.#isOn) {
      if (is !== 'stopping') this.set({ is: 'on' })
    } else if (isOther || !(isPending || is === 'refused')) this.set({ is: 'off' })
  }

  get #isOn(): boolean {
    const state = this.#call.get()
    return state.is === 'joined' && this.#service.isOn(state.session)
  }
}

function refusalOf(error: unknown): ServiceRefusal {
  const reason = error instanceof ControlFailure ? error.reason : undefined
  return SERVICE_REFUSALS.find(each => each === reason) ?? 'failed'
}
