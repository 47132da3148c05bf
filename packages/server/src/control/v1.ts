import {
  type ControlError,
  ControlRefusal,
  commands,
  isImplemented,
  type JsonObject,
  parseRequest,
  type Target,
  type V1Request,
} from '@lectern/protocol/control'
import type { Listener, Stream, StreamEvent } from '../streams/stream.ts'
import type { Seat } from './connection.ts'
import { type Actor, dispatch, traitsOf } from './dispatch.ts'
import { newId } from './ids.ts'
import { MAX_FRAME_BYTES, MAX_INFLIGHT } from './limits.ts'
import { chargePresence } from './notification-budget.ts'
import { untapAll } from './observing.ts'
import type { ControlParts, Login } from './ports.ts'
import { toControlError } from './refusals.ts'
import type { Transport } from './transport.ts'

const COMMAND_WITHIN_MS = 30_000

/** The small session without state: requests, answers, pushed events. What it had is over with its socket. */
export class V1Session implements Actor, Listener {
  readonly id = newId('v1')
  readonly login: Login
  readonly seats = new Map<string, Seat>()
  readonly #heard = new Map<string, { stream: Stream; key: string }>()
  readonly #parts: ControlParts
  readonly #transport: Transport
  #inFlight = 0
  #isOver = false

  constructor(parts: ControlParts, login: Login, transport: Transport) {
    this.#parts = parts
    this.login = login
    this.#transport = transport
    this.#hear(parts.streams.account(login.user), this.id)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get address(): string {
    return this.#transport.address
  }

  get isHere(): boolean {
    return !this.#isOver
  }

  receive(frame: string | Uint8Array): void {
    const parsed = parseRequest(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    if (parsed.ok) return void this.#answer(parsed.request)
    const { code, message } = parsed
    if (parsed.close) this.#transport.close(4400, code as 'invalid_argument')
    else this.#refuse(parsed.id, { code, message })
  }

  /** The login does not hold any more: the request is answered with that, and nothing is done. */
  deny(frame: string | Uint8Array, error: ControlError): void {
    const parsed = parseRequest(frame, { maxFrameBytes: MAX_FRAME_BYTES })
    if (parsed.ok) this.#refuse(parsed.request.id, error)
  }

  get actor(): Actor {
    return this
  }

  closed(): void {
    this.end()
  }

  /** Out of everything at once; the socket is closed by who calls this. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    chargePresence(this.#parts, this)
    untapAll(this.#parts, this.seats.values())
    const { conferences, log } = this.#parts
    const goodbyes = [...this.seats.values()].map(({ place }) => conferences.leave(place))
    for (const goodbye of [...goodbyes, conferences.leaveAllLobbies(this.id)])
      goodbye.catch(error => log.warn({ err: error }, 'a conference did not hear of a lost connection'))
    for (const { stream, key } of this.#heard.values()) this.#parts.streams.unsubscribe(stream, key)
  }

  enter(seat: Seat, stream: Stream): boolean {
    if (this.#isOver) return false
    this.seats.set(stream.id, seat)
    this.#hear(stream, seat.place.participantId)
    return true
  }

  event({ name, body }: StreamEvent): void {
    this.#transport.send(JSON.stringify({ event: name, data: body }))
  }

  /** Signals and media are for v2. */
  signal(): void {}
  media(): void {}

  detached({ id }: Stream): void {
    this.#heard.delete(id)
    this.seats.delete(id)
  }

  #hear(stream: Stream, key: string): void {
    stream.listeners.set(key, this)
    this.#heard.set(stream.id, { stream, key })
  }

  async #answer({ id, command, target, params }: V1Request): Promise<void> {
    if (this.#inFlight >= MAX_INFLIGHT) return this.#refuse(id, { code: 'resource_exhausted' })
    const { answers } = this.#parts
    const { user } = this.login
    const { answerBytes } = traitsOf(command)
    const overBudget = answers.take(user, answerBytes)
    if (overBudget) return this.#refuse(id, overBudget)
    this.#inFlight += 1
    try {
      const { data } = await dispatch(this.#parts, this, {
        id: `${this.id}.${id}`,
        name: command,
        target: target ?? this.#ownTarget(command),
        body: params,
        startBy: this.#parts.clock() + COMMAND_WITHIN_MS,
      })
      const answer = JSON.stringify({ id, result: { ...data, ...this.#stateAfter(command, data) } })
      answers.charge(user, Buffer.byteLength(answer) - answerBytes)
      this.#transport.send(answer)
    } catch (error) {
      this.#refuse(id, toControlError(error, this.#parts.log))
    } finally {
      this.#inFlight -= 1
    }
  }

  /** Who is in one conference only need not name it. */
  #ownTarget(command: string): Target {
    const [seat] = this.seats.values()
    if (!seat || this.seats.size > 1)
      throw new ControlRefusal('invalid_argument', `${command} needs a target.`)
    const isOfSession = isImplemented(command) && !commands[command].some(kind => kind === 'conference')
    return isOfSession
      ? { kind: 'conference_session', id: String(seat.place.sessionId) }
      : { kind: 'conference', id: seat.tag }
  }

  /** There are no snapshots here, so a join brings the state itself. */
  #stateAfter(command: string, data: JsonObject | undefined): JsonObject {
    if (command !== 'conference.join') return {}
    return { state: this.#parts.conferences.state(Number(data?.conference_session_id))?.state }
  }

  #refuse(id: string, { code, message = code, retry_after_ms }: ControlError): void {
    this.#transport.send(JSON.stringify({ id, error: { code, message, retry_after_ms } }))
  }
}
