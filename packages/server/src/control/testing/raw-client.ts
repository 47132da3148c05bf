import {
  type Binding,
  type ControlFrame,
  type ControlSync,
  type Cursor,
  type Envelopes,
  encodeFrame,
  type JsonObject,
  type LoginResultContent,
  parseFrame,
  type Target,
} from '@lectern/protocol/control'
import type { ControlServer } from '../control-server.ts'
import type { Socket, SocketEvents } from '../ports.ts'
import { TAG } from './tags.ts'

/** The client's end of a connection without a network: what is sent arrives at once. */
class TestSocket implements Socket {
  bufferedAmount = 0
  /** Every received frame; each is validated, so every test checks the format. */
  readonly received: ControlFrame[] = []
  readonly other: string[] = []
  pings = 0
  closedWith: { code: number; reason: string } | null = null
  isTerminated = false

  send(text: string) {
    const parsed = parseFrame(text, { maxFrameBytes: 262_144 })
    if (parsed.ok) this.received.push(parsed.frame)
    else if (text.startsWith('{"control_')) throw new Error(`${parsed.message}: ${text}`)
    else this.other.push(text)
  }
  ping = () => void this.pings++
  close = (code: number, reason: string) => {
    this.closedWith = { code, reason }
  }
  terminate = () => {
    this.isTerminated = true
  }
}

type Result = Envelopes['control_result']

/** The server of a client. */
interface Harness {
  control: ControlServer
  settle(): Promise<unknown>
}

/** A client without logic: it sends what a test passes to it, and stores the frames it receives. */
export class RawClient {
  readonly #harness: Harness
  /** A client that answers no ping. */
  isFrozen = false
  readonly #name: string
  joinToken: string | undefined
  socket = new TestSocket()
  #events!: SocketEvents
  address = '127.0.0.1'
  instanceId: string
  binding!: Binding
  resumeToken = ''
  sessionId = ''
  participantId = ''
  #ids = 0
  #isGone = true

  constructor(harness: Harness, name: string, joinToken?: string) {
    this.#harness = harness
    this.#name = name
    this.joinToken = joinToken
    this.instanceId = `instance-of-${name}`
  }

  get session(): Target {
    return { kind: 'conference_session', id: this.sessionId }
  }

  /** Opens a socket and sends nothing. */
  open(): void {
    this.socket = new TestSocket()
    this.#isGone = false
    this.#events = this.#harness.control.accept(this.socket, this.address)
  }

  /** Opens a socket and sends the login. */
  async login(offer: unknown = OFFER): Promise<LoginResultContent> {
    this.open()
    const join = this.joinToken === undefined ? {} : { join_token: this.joinToken }
    const client = { name: 'test', version: '1', platform: 'node' }
    const login = { access_token: this.#name, ...join, client, ...(offer ? { protocol_offer: offer } : {}) }
    await this.send(JSON.stringify({ login }))
    return this.takeOther<{ login_result: LoginResultContent }>()?.login_result as LoginResultContent
  }

  /** Sends a text, and lets everything happen that follows from it. */
  async send(text: string | Uint8Array | null): Promise<void> {
    this.#events.onFrame(typeof text === 'string' ? new TextEncoder().encode(text) : text)
    await this.#harness.settle()
  }

  /** Answers the pings. */
  pong(): void {
    if (!this.isFrozen && !this.#isGone) this.#events.onPing()
  }

  /** The socket ends: 1006 as when the network breaks. */
  async drop(code = 1006): Promise<void> {
    this.#isGone = true
    this.#events.onClose(code)
    await this.#harness.settle()
  }

  fresh = () => this.sync({ mode: 'fresh', cursors: [] })

  resume(cursors: Cursor[] = [], token = this.resumeToken) {
    return this.sync({ mode: 'resume', cursors, resume: { binding: this.binding, resume_token: token } })
  }

  resync = (cursors: Cursor[] = []) => this.sync({ mode: 'resync', cursors, binding: this.binding })

  /** The answer to a sync; the frames that come with it remain to be read. */
  async sync(what: JsonObject): Promise<Envelopes['control_sync_result']> {
    const request_id = `r${++this.#ids}`
    const sync = { request_id, control_instance_id: this.instanceId, ...what } as unknown as ControlSync
    await this.send(encodeFrame({ control_sync: sync }))
    const [result] = this.take('control_sync_result')
    if (!result)
      throw new Error(`no answer to the sync; closed with ${JSON.stringify(this.socket.closedWith)}`)
    if (result.status === 'ready') {
      this.binding = result.binding
      this.resumeToken = result.resume_token
    }
    return result
  }

  async join(tag = TAG): Promise<Result> {
    const result = await this.command('conference.join', {}, { kind: 'conference', id: tag })
    const data = result?.data as { conference_session_id: string; participant_id: string } | undefined
    this.sessionId = data?.conference_session_id ?? this.sessionId
    this.participantId = data?.participant_id ?? this.participantId
    return result
  }

  /** The newest result of the command; `more` changes its envelope. */
  async command(
    name: string,
    body: JsonObject,
    target: Target = this.session,
    more: Partial<Envelopes['control_command']> = {},
  ): Promise<Result> {
    const command_id = more.command_id ?? `c${++this.#ids}-${this.instanceId}`
    const command = { binding: this.binding, command_id, target, name, body, ttl_ms: 10_000, ...more }
    await this.send(encodeFrame({ control_command: command }))
    return this.take('control_result').findLast(result => result.command_id === command_id) as Result
  }

  /** All frames of a kind that have arrived since the last call. */
  take<K extends keyof Envelopes>(kind: K): Envelopes[K][] {
    const taken: Envelopes[K][] = []
    const left: ControlFrame[] = []
    for (const frame of this.socket.received)
      if (kind in frame) taken.push((frame as unknown as Envelopes)[kind])
      else left.push(frame)
    this.socket.received.splice(0, this.socket.received.length, ...left)
    return taken
  }

  events = () => this.take('control_event')
  eventNames = () => this.events().map(({ name }) => name)
  snapshots = () => this.take('control_snapshot')

  /** The next of what is no v2 frame: the answer to a login, or what v1 says. */
  takeOther<T>(): T | undefined {
    const text = this.socket.other.shift()
    return text === undefined ? undefined : (JSON.parse(text) as T)
  }
}

const OFFER = { versions: [1, 2], require_version: 2, profiles: ['svc.control.v2.core'] }
