import type { Binding, ControlError, ControlSync, EnvelopeKind } from '@lectern/protocol/control'
import { equalSecrets } from '../../platform/constant-time.ts'
import type { Sender, SessionMembership } from '../commands/command.ts'
import { newId } from '../ids.ts'
import { ENDED_STREAMS_MAX } from '../limits/constants.ts'
import type { Login } from '../ports.ts'
import { TENANT } from '../socket/protocol-selection.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import type { PublishedEvent, Stream, Subscriber } from '../streams/stream.ts'
import { encodeTail } from './envelopes.ts'
import type { ResumeTokens } from './resume-tokens.ts'
import { inFormatOf } from './sdp-offers.ts'
import { pageTails, snapshotTails } from './snapshot.ts'

/**
 * - live: events are sent at once.
 * - resuming: the sync of a new socket is not answered yet; its answer replays what happened meanwhile.
 * - away: there is no socket; the client may resume within the grace time.
 * - over: the connection cannot be resumed.
 */
export type ConnectionState =
  | { is: 'live'; transport: WebSocketTransport }
  | { is: 'resuming'; transport: WebSocketTransport }
  | { is: 'away'; sinceMs: number }
  | { is: 'over' }

interface ConnectionParts {
  deploymentId: string
  resumeTokens: ResumeTokens
  /** Ends the connection for good: it leaves its conferences. */
  end: (connection: Connection) => void
}

/** `until` is the last event that the connection receives, if the stream has ended for it. */
interface Subscription {
  stream: Stream
  key: string
  until: number | null
}

/**
 * A client's connection across sockets: its subscriptions, its memberships and its generation. Features act on it; it
 * sends envelopes to its client.
 */
export class Connection implements Subscriber, Sender {
  readonly id: string
  readonly canNegotiate = true
  readonly isResumable = true
  readonly instanceId: string
  readonly subscriptions = new Map<string, Subscription>()
  /** By stream. */
  readonly memberships = new Map<string, SessionMembership>()
  readonly #parts: ConnectionParts
  login: Login
  state: ConnectionState
  inFlight = 0
  /** Ids of the commands without a result so far. */
  readonly unansweredCommands = new Set<string>()
  resumeToken = ''
  /** Valid until the client has shown that it has the new token (rule Y5). */
  #previousToken: { token: string; generation: number } | null = null
  /** The last sync; snapshots after a join carry it (rule Q5). */
  requestId = ''
  #generation = 0
  #bindingText = ''
  #snapshots = 0

  /** `resumed`: it continues one of a former server. It gets its token when it is complete. */
  constructor(
    parts: ConnectionParts,
    { instanceId, login, transport }: { instanceId: string; login: Login; transport: WebSocketTransport },
    resumed?: Resume,
  ) {
    this.#parts = parts
    this.instanceId = instanceId
    this.login = login
    this.state = { is: 'resuming', transport }
    this.id = resumed?.binding.logical_connection_id ?? newId('c')
    if (resumed) this.#generation = Number(resumed.binding.binding_generation)
  }

  get binding(): Binding {
    return {
      deployment_id: this.#parts.deploymentId,
      tenant_id: TENANT,
      logical_connection_id: this.id,
      binding_generation: String(this.#generation),
    }
  }

  get isOver(): boolean {
    return this.state.is === 'over'
  }

  /** The client's address at the present socket; empty without a socket. */
  get address(): string {
    return 'transport' in this.state ? this.state.transport.address : ''
  }

  get region(): string | undefined {
    return 'transport' in this.state ? this.state.transport.region : undefined
  }

  get bufferedBytes(): number {
    return 'transport' in this.state ? this.state.transport.bufferedBytes : 0
  }

  get watchedPages(): number {
    return [...this.subscriptions.values()].filter(({ stream }) => isPage(stream)).length
  }

  get isConnected(): boolean {
    return 'transport' in this.state
  }

  isOn(transport: WebSocketTransport): boolean {
    return 'transport' in this.state && this.state.transport === transport
  }

  /** Checks the token, and the binding that it was sent with (rule Y12). */
  canResume({ binding, resume_token }: Resume): boolean {
    const { token, generation } = this.#previousToken ?? { token: '', generation: 0 }
    if (token !== '' && equalSecrets(resume_token, token))
      return isSame(binding, { ...this.binding, binding_generation: String(generation) })
    return equalSecrets(resume_token, this.resumeToken) && isSame(binding, this.binding)
  }

  /** Starts a generation, with a new resume token. `usedToken`: the one of the resume. */
  activate(transport: WebSocketTransport, usedToken: string | null): void {
    // The used token stays valid together with the generation that it was sent with.
    if (usedToken !== null && usedToken === this.resumeToken)
      this.#previousToken = { token: usedToken, generation: this.#generation }
    this.#generation += 1
    this.#bindingText = JSON.stringify(this.binding)
    const { instanceId, binding } = this
    this.resumeToken = this.#parts.resumeTokens.issue({ userId: this.login.user.id, instanceId, binding })
    this.state = { is: 'live', transport }
  }

  /** True for the present generation, which also shows that the client has the new token. */
  isCurrent(binding: Binding): boolean {
    const current = isSame(binding, this.binding)
    if (current) this.#previousToken = null
    return current
  }

  /** Sends an envelope; `tail` is its text after the binding. */
  send(kind: EnvelopeKind, tail: string): void {
    if (this.state.is === 'live') this.state.transport.send(this.#frame(kind, tail))
  }

  onEvent({ encoded }: Pick<PublishedEvent, 'encoded'>): void {
    this.send('control_event', encoded)
  }

  onSignal(encoded: string): void {
    if (this.state.is === 'live') this.state.transport.sendLossy(this.#frame('control_signal', encoded))
  }

  onMessage(encoded: string): void {
    const offer = inFormatOf(this.memberships, encoded)
    if (offer !== null) this.send('control_media', offer)
  }

  /** The present state of the stream, for the last sync. */
  sendSnapshot(stream: Stream): void {
    this.#sendTails(snapshotTails(stream) ?? [])
  }

  #sendTails(tails: readonly string[]): void {
    const ids = `"request_id":"${this.requestId}","snapshot_id":"s.${this.#generation}.${++this.#snapshots}"`
    for (const tail of tails) this.send('control_snapshot', `${ids},${tail}`)
  }

  enter(membership: SessionMembership, stream: Stream): boolean {
    if (this.isOver) return false
    this.memberships.set(stream.id, membership)
    const subscription = this.subscriptions.get(stream.id)
    if (subscription?.stream === stream && subscription.until === null) return true
    this.subscribe(stream, membership.participant.participantId)
    this.sendSnapshot(stream)
    return true
  }

  subscribe(stream: Stream, key: string): void {
    stream.subscribers.set(key, this)
    this.subscriptions.set(stream.id, { stream, key, until: null })
  }

  isWatching(streamId: string): boolean {
    return this.subscriptions.has(streamId)
  }

  watch(stream: Stream, key: string): void {
    if (this.isOver) return
    this.subscribe(stream, key)
    const tails = pageTails(stream)
    this.#sendTails(tails?.snapshot ?? [])
    for (const encoded of tails?.events ?? []) this.onEvent({ encoded })
  }

  unwatch(stream: Stream): void {
    if (this.subscriptions.get(stream.id)?.stream !== stream) return
    stream.subscribers.delete(this.subscriptions.get(stream.id)?.key ?? '')
    this.subscriptions.delete(stream.id)
  }

  /** The subscription remains until the next sync, which replays what the client may have missed (rule Y10). */
  onDetached(stream: Stream, until: number): void {
    const subscription = this.subscriptions.get(stream.id)
    if (subscription?.stream !== stream) return
    // The client learns of it from the index, or watches the page again.
    if (isPage(stream)) return void this.subscriptions.delete(stream.id)
    this.memberships.delete(stream.id)
    subscription.until = until
    const ended = [...this.subscriptions.values()].filter(each => each.until !== null)
    if (ended.length > ENDED_STREAMS_MAX) this.subscriptions.delete((ended[0] as Subscription).stream.id)
  }

  /**
   * One that stayed here would refuse its client when the session comes back to this server: it knows nothing of the
   * generations in between (rule Y13).
   */
  sendElsewhere(): void {
    const { state } = this
    this.#parts.end(this)
    if ('transport' in state) state.transport.close(1001, 'temporarily_unavailable')
  }

  /** Commands in flight end without a result on this connection (rule Y12). */
  abandonCommands(): void {
    const error: ControlError = {
      code: 'outcome_unknown',
      message: 'Another sync replaced the connection; repeat the command.',
    }
    for (const command_id of this.unansweredCommands)
      this.send('control_result', encodeTail({ command_id, status: 'outcome_unknown', error }))
    this.unansweredCommands.clear()
  }

  #frame(kind: EnvelopeKind, tail: string): string {
    return `{"${kind}":{"binding":${this.#bindingText},${tail}}`
  }
}

export type Resume = Pick<Extract<ControlSync, { mode: 'resume' }>['resume'], 'binding' | 'resume_token'>

export const isPage = ({ subject }: Stream) => subject.kind === 'board_page'

const isSame = (one: Binding, other: Binding) =>
  (Object.keys(other) as (keyof Binding)[]).every(key => one[key] === other[key])
