import { Refusal } from '@lectern/protocol'
import {
  acceptsTarget,
  type ControlError,
  commands,
  isCommandName,
  type JsonObject,
  parseRequest,
  type Target,
  type V1Request,
} from '@lectern/protocol/control'
import type { Sender, SessionMembership } from '../commands/command.ts'
import { executeCommand } from '../commands/executor.ts'
import { chargePresence } from '../commands/notifications.ts'
import { closeObserverMedia } from '../commands/observers.ts'
import { traitsOf } from '../commands/table.ts'
import { newId } from '../ids.ts'
import { MAX_FRAME_BYTES, MAX_INFLIGHT } from '../limits/constants.ts'
import type { ControlParts, Login } from '../ports.ts'
import { commandLogFields, controlError, toControlError } from '../refusals.ts'
import type { WebSocketTransport } from '../socket/transport.ts'
import type { PublishedEvent, Stream, Subscriber } from '../streams/stream.ts'

const COMMAND_WITHIN_MS = 30_000

/** The small session without state: requests, answers, pushed events. What it had is over with its socket. */
export class V1Session implements Sender, Subscriber {
  readonly id = newId('v1')
  readonly canNegotiate = false
  readonly isResumable = false
  readonly login: Login
  readonly memberships = new Map<string, SessionMembership>()
  readonly #subscriptions = new Map<string, { stream: Stream; key: string }>()
  readonly #parts: ControlParts
  readonly #transport: WebSocketTransport
  #inFlight = 0
  #isOver = false

  private constructor(parts: ControlParts, login: Login, transport: WebSocketTransport) {
    this.#parts = parts
    this.login = login
    this.#transport = transport
  }

  /** A session that is subscribed to the events of its account. */
  static async open(parts: ControlParts, login: Login, transport: WebSocketTransport): Promise<V1Session> {
    const session = new V1Session(parts, login, transport)
    session.#subscribe(await parts.streams.accounts.subscribe(login.user, session.id, session), session.id)
    parts.messaging.presence.connected(login.user, session.id)
    return session
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Pages have snapshots, which need v2. */
  readonly watchedPages = 0
  readonly bufferedBytes = 0
  isWatching = () => false
  watch(): void {
    throw new Refusal('unknown_command', 'Pages of a board need version 2 of the protocol.')
  }
  unwatch(): void {}

  get address(): string {
    return this.#transport.address
  }

  get region(): string | undefined {
    return this.#transport.region
  }

  get isConnected(): boolean {
    return !this.#isOver
  }

  receive(frame: string | Uint8Array, arrivedAtMs: number): void {
    const parsed = parseRequest(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    if (parsed.ok) return void this.#answer(parsed.request, arrivedAtMs + COMMAND_WITHIN_MS)
    const { code, message } = parsed
    if (parsed.close) this.#transport.close(4400, code as 'invalid_argument')
    else this.#refuse(parsed.id, { code, message })
  }

  /** Refuses a request, because the login is no longer valid. */
  deny(frame: string | Uint8Array, error: ControlError): void {
    const parsed = parseRequest(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    if (parsed.ok) this.#refuse(parsed.request.id, error)
  }

  get sender(): Sender {
    return this
  }

  onClose(): void {
    this.end()
  }

  sendElsewhere(): void {
    this.end()
    this.#transport.close(1001, 'temporarily_unavailable')
  }

  /** Leaves all conferences at once. The caller closes the socket. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.messaging.presence.ended(this.login.user.id, this.id)
    chargePresence(this.#parts, this)
    closeObserverMedia(this.#parts, this.memberships.values())
    const { participants, log } = this.#parts
    const departures = [...this.memberships.values()].map(({ participant }) =>
      participants.leave(participant),
    )
    for (const departure of [...departures, participants.leaveLobbies(this.id)])
      departure.catch(error =>
        log.warn(
          { err: error },
          'a conference was not notified of a lost connection: the participant may seem present',
        ),
      )
    for (const { stream, key } of this.#subscriptions.values()) this.#parts.streams.unsubscribe(stream, key)
  }

  enter(membership: SessionMembership, stream: Stream): boolean {
    if (this.#isOver) return false
    this.memberships.set(stream.id, membership)
    this.#subscribe(stream, membership.participant.participantId)
    return true
  }

  onEvent({ name, body }: PublishedEvent): void {
    this.#transport.send(JSON.stringify({ event: name, data: body }))
  }

  /** Signals and media need v2. */
  onSignal(): void {}
  onMessage(): void {}

  onDetached({ id }: Stream): void {
    this.#subscriptions.delete(id)
    this.memberships.delete(id)
  }

  #subscribe(stream: Stream, key: string): void {
    stream.subscribers.set(key, this)
    this.#subscriptions.set(stream.id, { stream, key })
  }

  async #answer({ id, command, target, params }: V1Request, startBy: number): Promise<void> {
    if (this.#inFlight >= MAX_INFLIGHT) return this.#refuse(id, { code: 'resource_exhausted' })
    const { answers } = this.#parts
    const { user } = this.login
    const { answerBytes } = traitsOf(command)
    const overBudget = answers.take(user, answerBytes)
    if (overBudget) return this.#refuse(id, controlError(overBudget))
    this.#inFlight += 1
    try {
      const { data } = await executeCommand(this.#parts, this, {
        id: `${this.id}.${id}`,
        name: command,
        target: target ?? this.#ownTarget(command),
        body: params,
        startBy,
      })
      const answer = JSON.stringify({ id, result: { ...data, ...this.#stateAfter(command, data) } })
      answers.charge(user, Buffer.byteLength(answer) - answerBytes)
      this.#transport.send(answer)
    } catch (error) {
      const about = commandLogFields({ id: `${this.id}.${id}`, name: command, target })
      this.#refuse(id, toControlError(error, this.#parts.log, about))
    } finally {
      this.#inFlight -= 1
    }
  }

  /**
   * A command for the own account, or of a sender with one membership, may leave the target out. One with an unknown name
   * is refused for that, whatever its target.
   */
  #ownTarget(command: string): Target {
    if (!isCommandName(command) || acceptsTarget(command, 'account'))
      return { kind: 'account', id: String(this.login.user.id) }
    const [membership] = this.memberships.values()
    if (!membership || this.memberships.size > 1)
      throw new Refusal('invalid_command', `${command} needs a target.`)
    const isOfSession = !commands[command].some(kind => kind === 'conference')
    return isOfSession
      ? { kind: 'conference_session', id: String(membership.participant.sessionId) }
      : { kind: 'conference', id: membership.tag }
  }

  /** There are no snapshots here, so a join brings the state itself. */
  #stateAfter(command: string, data: JsonObject | undefined): JsonObject {
    if (command !== 'conference.join') return {}
    return { state: this.#parts.registry.state(Number(data?.conference_session_id))?.state }
  }

  #refuse(id: string, { code, message = code, retry_after_ms }: ControlError): void {
    this.#transport.send(JSON.stringify({ id, error: { code, message, retry_after_ms } }))
  }
}
