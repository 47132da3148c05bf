import type { Capability } from '@lectern/protocol'
import type { Binding, ControlError, ControlSync, EnvelopeKind } from '@lectern/protocol/control'
import { equalSecrets } from '../../constant-time.ts'
import type { ParticipantRef } from '../../sessions/membership.ts'
import type { Stream, StreamEvent, Subscriber } from '../../streams/stream.ts'
import type { Sender } from '../commands/table.ts'
import { newId, newSecret } from '../ids.ts'
import { ENDED_STREAMS_MAX } from '../limits/constants.ts'
import type { Login } from '../ports.ts'
import { TENANT } from '../socket/protocol-selection.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import { snapshotTails } from './snapshot.ts'

/**
 * - live: what happens is told at once.
 * - resuming: a socket is there and its sync is not answered yet; the answer brings all that happened.
 * - away: no socket; the client may come back for a while.
 * - over: it never comes back.
 */
export type ConnectionState =
  | { is: 'live'; transport: WebSocketTransport }
  | { is: 'resuming'; transport: WebSocketTransport }
  | { is: 'away'; sinceMs: number }
  | { is: 'over' }

/** A stream that the connection hears. `until`: it does not go on for this connection after that event. */
interface Subscription {
  stream: Stream
  key: string
  until: number | null
}

/** What a connection is in a session: a participant, or an observer for a job. */
export interface SessionMembership {
  tag: string
  participant: ParticipantRef
  kind: 'participant' | 'observer'
  /** An observer's account must be capable of this as long as it observes. */
  needs?: Capability
}

/**
 * A client's connection beyond one socket: what it hears, where it sits, how often it has lived. Features act
 * on it; it knows how to tell its client something.
 */
export class Connection implements Subscriber, Sender {
  readonly id = newId('c')
  readonly instanceId: string
  readonly subscriptions = new Map<string, Subscription>()
  /** By stream. */
  readonly memberships = new Map<string, SessionMembership>()
  readonly #deploymentId: string
  login: Login
  state: ConnectionState
  inFlight = 0
  /** Ids of the commands that its client was not answered yet. */
  readonly unansweredCommands = new Set<string>()
  resumeToken = ''
  /** A token of before: good until the client shows that it has the new one. */
  #previousToken: { token: string; generation: number } | null = null
  /** The last sync; snapshots that come unasked are for it. */
  requestId = ''
  #generation = 0
  #bindingText = ''
  #snapshots = 0

  constructor(deploymentId: string, instanceId: string, login: Login, transport: WebSocketTransport) {
    this.#deploymentId = deploymentId
    this.instanceId = instanceId
    this.login = login
    this.state = { is: 'resuming', transport }
  }

  get binding(): Binding {
    return {
      deployment_id: this.#deploymentId,
      tenant_id: TENANT,
      logical_connection_id: this.id,
      binding_generation: String(this.#generation),
    }
  }

  get isOver(): boolean {
    return this.state.is === 'over'
  }

  /** Of the newest socket; empty while there is none. */
  get address(): string {
    return 'transport' in this.state ? this.state.transport.address : ''
  }

  get isConnected(): boolean {
    return 'transport' in this.state
  }

  isOn(transport: WebSocketTransport): boolean {
    return 'transport' in this.state && this.state.transport === transport
  }

  /** Whether its client may resume it with that: the token, and the binding that it came with (rule Y12). */
  canResume({ binding, resume_token }: Resume): boolean {
    const { token, generation } = this.#previousToken ?? { token: '', generation: 0 }
    if (token !== '' && equalSecrets(resume_token, token))
      return isSame(binding, { ...this.binding, binding_generation: String(generation) })
    return equalSecrets(resume_token, this.resumeToken) && isSame(binding, this.binding)
  }

  /** Another life: a new generation, and a new token to resume from it. `usedToken` has led here. */
  activate(transport: WebSocketTransport, usedToken: string | null): void {
    // Used again, it belongs to the generation that it came with.
    if (usedToken !== null && usedToken === this.resumeToken)
      this.#previousToken = { token: usedToken, generation: this.#generation }
    this.#generation += 1
    this.#bindingText = JSON.stringify(this.binding)
    this.resumeToken = newSecret()
    this.state = { is: 'live', transport }
  }

  /** Whether a frame with this binding is of the present life. If so, the client has its token. */
  isCurrent(binding: Binding): boolean {
    const current = isSame(binding, this.binding)
    if (current) this.#previousToken = null
    return current
  }

  /** Sends an envelope whose text after the binding is known. */
  send(kind: EnvelopeKind, tail: string): void {
    if (this.state.is === 'live') this.state.transport.send(this.#frame(kind, tail))
  }

  event({ tail }: Pick<StreamEvent, 'tail'>): void {
    this.send('control_event', tail)
  }

  signal(tail: string): void {
    if (this.state.is === 'live') this.state.transport.sendLossy(this.#frame('control_signal', tail))
  }

  media(tail: string): void {
    this.send('control_media', tail)
  }

  /** The whole present state of the stream, for the last sync. */
  sendSnapshot(stream: Stream): void {
    const ids = `"request_id":"${this.requestId}","snapshot_id":"s.${this.#generation}.${++this.#snapshots}"`
    for (const tail of snapshotTails(stream) ?? []) this.send('control_snapshot', `${ids},${tail}`)
  }

  enter(seat: SessionMembership, stream: Stream): boolean {
    if (this.isOver) return false
    this.memberships.set(stream.id, seat)
    const heard = this.subscriptions.get(stream.id)
    if (heard?.stream === stream && heard.until === null) return true
    this.subscribe(stream, seat.participant.participantId)
    this.sendSnapshot(stream)
    return true
  }

  subscribe(stream: Stream, key: string): void {
    stream.subscribers.set(key, this)
    this.subscriptions.set(stream.id, { stream, key, until: null })
  }

  /** Kept until the next sync: a client whose socket is dead hears only then what was still its to hear. */
  detached(stream: Stream, until: number): void {
    const subscription = this.subscriptions.get(stream.id)
    if (subscription?.stream !== stream) return
    this.memberships.delete(stream.id)
    subscription.until = until
    const ended = [...this.subscriptions.values()].filter(each => each.until !== null)
    if (ended.length > ENDED_STREAMS_MAX) this.subscriptions.delete((ended[0] as Subscription).stream.id)
  }

  /** What is under way has an end that its client does not learn here. */
  abandonCommands(): void {
    const error: ControlError = {
      code: 'outcome_unknown',
      message: 'Another sync took the place of the connection; repeat the command.',
    }
    for (const command_id of this.unansweredCommands)
      this.send('control_result', JSON.stringify({ command_id, status: 'outcome_unknown', error }).slice(1))
    this.unansweredCommands.clear()
  }

  #frame(kind: EnvelopeKind, tail: string): string {
    return `{"${kind}":{"binding":${this.#bindingText},${tail}}`
  }
}

type Resume = Pick<Extract<ControlSync, { mode: 'resume' }>['resume'], 'binding' | 'resume_token'>

const isSame = (one: Binding, other: Binding) =>
  (Object.keys(other) as (keyof Binding)[]).every(key => one[key] === other[key])
