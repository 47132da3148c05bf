import { type Lifetime, Observable } from '@lectern/common'
import { ControlFailure } from '@lectern/control-client'
import {
  type ControlEvent,
  type EventBody,
  type LobbyStatus,
  sessionStream,
  type Target,
  type WaitReason,
} from '@lectern/protocol/control/client'
import { type CallEndReason, endReasonOf, refusalReasonOf, waitReasonOf } from './end-reasons.ts'
import type { Control, OpenedEndpoint, ParticipantRef, ReceivingCapabilities } from './ports.ts'

export type MembershipState =
  | { is: 'joining' }
  /** In the lobby; only the server knows the position in it. */
  | { is: 'waiting'; reason: WaitReason }
  /** `opened`: an endpoint that was opened with the join. */
  | { is: 'joined'; participant: ParticipantRef; opened: OpenedEndpoint | null }
  | { is: 'ended'; reason: CallEndReason }

export interface JoinOptions {
  /** The conference's tag. */
  tag: string
  /** Default: the name in the link, else the account's. */
  displayName?: string
  /** Opens an endpoint with the join, which saves two round trips. */
  receivingCapabilities?: ReceivingCapabilities
  /** Who was removed waits for a moderator instead of being refused. */
  asks?: boolean
  tcpOnly?: boolean
}

const REJOIN_DELAY_MS = 2_000

/** Membership in the conference: joins on every new connection, until it ends. */
export class Membership extends Observable<MembershipState> {
  readonly #control: Control
  readonly #options: JoinOptions
  #isOpen = false
  #attempt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(control: Control, options: JoinOptions, lifetime: Lifetime) {
    super({ is: 'joining' })
    this.#control = control
    this.#options = options
    lifetime.defer(() => clearTimeout(this.#timer))
    lifetime.defer(control.onStart(() => void this.#join()))
    lifetime.defer(control.onEvent(event => this.#onEvent(event)))
    // A snapshot of the account's stream may replace the event that ended the wait.
    lifetime.defer(control.onSnapshot(({ streamId }) => this.#onSnapshot(streamId)))
    lifetime.defer(control.state.subscribe(() => this.#onConnection()))
  }

  /** A connection that was prepared has started before. If it is being resumed, it does not start again. */
  open(): void {
    this.#isOpen = true
    const { is } = this.#control.state.get()
    if (is === 'ready') void this.#join()
    else if (is === 'waiting') this.#control.online()
    else this.#control.open()
  }

  end(reason: CallEndReason): void {
    clearTimeout(this.#timer)
    if (this.get().is !== 'ended') this.set({ is: 'ended', reason })
  }

  async #join(): Promise<void> {
    if (this.get().is === 'ended') return
    clearTimeout(this.#timer)
    const attempt = ++this.#attempt
    // In the lobby, the state stays until there is a result.
    if (this.get().is !== 'waiting') this.set({ is: 'joining' })
    const next = await this.#requestJoin().catch((error: unknown) => this.#onRefusal(error))
    // A newer connection has joined meanwhile; this result is obsolete.
    if (attempt !== this.#attempt || this.get().is === 'ended') return
    if (next === null) this.#timer = setTimeout(() => void this.#join(), REJOIN_DELAY_MS)
    else this.set(next)
  }

  async #requestJoin(): Promise<MembershipState> {
    const join = (media: object) =>
      this.#control.command('conference.join', this.#conference, { ...this.#body, ...media })
    const media = this.#media
    // During an upgrade, the server may be older than this page, and not know `media`.
    const result = await join(media).catch(error => {
      if ('media' in media && isInvalid(error)) return join({})
      throw error
    })
    const { conference_session_id: sessionId, participant_id: participantId, media: opened = null } = result
    return { is: 'joined', participant: { sessionId, participantId }, opened }
  }

  get #media() {
    const { receivingCapabilities, tcpOnly } = this.#options
    const rtp_capabilities = receivingCapabilities?.()
    return rtp_capabilities ? { media: { rtp_capabilities, ...(tcpOnly && { tcp_only: true }) } } : {}
  }

  /** Null: retry a little later. */
  async #onRefusal(error: unknown, asks = this.#options.asks): Promise<MembershipState | null> {
    const reason = waitReasonOf(error) ?? (asks && refusalReasonOf(error) === 'removed' ? 'approval' : null)
    if (reason !== null)
      return this.#enterLobby(reason).catch((refusal: unknown) => this.#onRefusal(refusal, false))
    const endReason = refusalReasonOf(error)
    return endReason && { is: 'ended', reason: endReason }
  }

  async #enterLobby(reason: WaitReason): Promise<MembershipState | null> {
    const result = await this.#control.command('lobby.enter', this.#conference, this.#body)
    return result.status === 'admitted' ? null : { is: 'waiting', reason: result.reason ?? reason }
  }

  get #conference(): Target {
    return { kind: 'conference', id: this.#options.tag }
  }

  get #body() {
    const { displayName } = this.#options
    return displayName === undefined ? {} : { display_name: displayName }
  }

  #onSnapshot(streamId: string): void {
    if (this.get().is === 'waiting' && streamId.startsWith('account:')) void this.#join()
  }

  /** The server has decided about this account's request to join. */
  #onLobbyStatus({ conference_tag, status, reason = 'approval' }: LobbyStatus): void {
    if (conference_tag !== this.#options.tag || this.get().is === 'joined') return
    if (status === 'admitted') void this.#join()
    else if (this.get().is !== 'waiting') return
    else if (status === 'waiting') this.set({ is: 'waiting', reason })
    else this.end(status)
  }

  #onConnection(): void {
    const state = this.#control.state.get()
    if (state.is === 'ended') this.end(endReasonOf(state.reason))
    else if (state.is === 'ready' && this.#isOpen && this.#attempt === 0) void this.#join()
  }

  #onEvent({ name, stream_id, body }: ControlEvent): void {
    if (name === 'lobby.status') this.#onLobbyStatus(body as LobbyStatus)
    const state = this.get()
    if (state.is !== 'joined' || stream_id !== sessionStream(state.participant.sessionId)) return
    if (name === 'session.ended') this.#onSessionEnded(body as EventBody<'session.ended'>)
    if (name === 'participant.left')
      this.#onParticipantLeft(body as EventBody<'participant.left'>, state.participant)
  }

  /** A session that was closed because it was empty makes room for another one. */
  #onSessionEnded({ reason }: EventBody<'session.ended'>): void {
    if (reason === 'empty') void this.#join()
    else this.end(reason)
  }

  #onParticipantLeft(
    { participant_id, reason }: EventBody<'participant.left'>,
    participant: ParticipantRef,
  ): void {
    if (participant_id !== participant.participantId) return
    if (reason === 'lost') void this.#join()
    else this.end(reason)
  }
}

const isInvalid = (error: unknown) => error instanceof ControlFailure && error.code === 'invalid_argument'
