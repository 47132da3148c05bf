import { once } from 'node:events'
import { CONTROL_PROFILE } from '@lectern/protocol/control'
import WebSocket from 'ws'

/** A client that receives events, and can trigger one event for all clients. */
export interface EventClient {
  onEvent: (frame: Buffer) => void
  /** Causes one event for all clients. */
  triggerEvent(): void
  close(): void
}

export interface Ticket {
  token: string
  /** The tag of the conference. */
  tag: string
  /** Of a personal link. */
  joinToken?: string
}

/** A message of a negotiation. */
export interface MediaStep {
  media: Record<string, string>
  name: string
  body: Record<string, unknown>
}

interface Waiter {
  resolve: (content: Content) => void
  reject: (error: Error) => void
}

type Content = Record<string, unknown> & { status?: string; error?: { code: string; message?: string } }

/**
 * A minimal v2 client that joins a conference (docs/control-protocol.md). It does not parse events, so that hundreds of
 * clients in one process keep up with the server.
 */
export class Member implements EventClient {
  onEvent: (frame: Buffer) => void = () => {}
  onMedia: (step: MediaStep) => void = () => {}
  readonly #url: string
  readonly #ticket: Ticket
  readonly #waiting = new Map<string, Waiter>()
  #socket: WebSocket | null = null
  #disconnected: Promise<unknown> = Promise.resolve()
  #binding: unknown
  #membership = { conference_session_id: '', participant_id: '' }
  #sent = 0
  #hand = false

  constructor(url: string, ticket: Ticket) {
    this.#url = `${url.replace('http', 'ws')}/api/v1.0/control`
    this.#ticket = ticket
  }

  /** Joins, also after a disconnect; resolves when the member has joined. */
  async join(): Promise<void> {
    const { token, tag, joinToken } = this.#ticket
    // In a cluster the connection leads to the server of the conference (rule RELAY-1).
    const socket = new WebSocket(this.#url, ['svc.control', `room.${tag}`], {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    this.#socket = socket
    this.#disconnected = new Promise(resolve => socket.once('close', resolve)).then(() => this.#rejectAll())
    socket.on('message', data => this.#onMessage(data as Buffer))
    await once(socket, 'open')
    socket.on('error', () => {}) // a close event follows

    const client = { name: 'bench', version: '1', platform: 'node' }
    const protocol_offer = { versions: [2], require_version: 2, profiles: [CONTROL_PROFILE] }
    const credentials = { access_token: token, ...(joinToken && { join_token: joinToken }) }
    await this.#request('login_result', { login: { ...credentials, client, protocol_offer } })
    const request_id = this.#newId('r')
    const sync = { request_id, control_instance_id: `bench.${process.pid}`, mode: 'fresh', cursors: [] }
    this.#binding = (await this.#request(request_id, { control_sync: sync })).binding
    const { data } = await this.#command('conference.join', { kind: 'conference', id: tag }, {})
    this.#membership = data as typeof this.membership
  }

  /** The result of the join. */
  get membership(): { conference_session_id: string; participant_id: string } {
    return this.#membership
  }

  sendMedia(step: MediaStep): void {
    this.#socket?.send(JSON.stringify({ control_media: { binding: this.#binding, ...step } }))
  }

  /** Resolves with the final result. */
  command(name: string, body: object): Promise<Content> {
    return this.#command(
      name,
      { kind: 'conference_session', id: this.#membership.conference_session_id },
      body,
    )
  }

  /** Raises or lowers the hand: an event for all without a database write. */
  changeHand(): Promise<Content> {
    this.#hand = !this.#hand
    return this.command('participant.update', { hand_raised: this.#hand })
  }

  triggerEvent(): void {
    this.changeHand().catch(() => {}) // whoever waits for the event learns of it
  }

  get disconnected(): Promise<unknown> {
    return this.#disconnected
  }

  close(): void {
    this.#socket?.close(1000)
  }

  #command(name: string, target: object, body: object): Promise<Content> {
    const command_id = this.#newId('c')
    const command = { binding: this.#binding, command_id, target, name, body, ttl_ms: 60_000 }
    return this.#request(command_id, { control_command: command })
  }

  #newId(prefix: string): string {
    return `${prefix}.${++this.#sent}`
  }

  #request(id: string, frame: object): Promise<Content> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket?.send(JSON.stringify(frame))
    })
  }

  /** No answer comes any more. */
  #rejectAll(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('disconnected'))
    this.#waiting.clear()
  }

  #onMessage(data: Buffer): void {
    const kind = data.toString('latin1', 2, 15)
    if (kind === 'control_event') this.onEvent(data)
    else if (kind === 'control_media') this.onMedia(JSON.parse(data.toString()).control_media)
    else if (kind !== 'control_snaps') this.#onResult(data)
  }

  #onResult(data: Buffer): void {
    const [[name, content]] = Object.entries(JSON.parse(data.toString())) as [[string, Content]]
    if (content.status === 'received') return
    const id = String(content.command_id ?? content.request_id ?? name)
    const waiter = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (content.error) waiter?.reject(new Error(`${content.error.code}: ${content.error.message}`))
    else waiter?.resolve(content)
  }
}

/** A client of the bare server, which sends the same text to all clients for every frame. */
export class BareClient implements EventClient {
  onEvent: (frame: Buffer) => void = () => {}
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => this.onEvent(data as Buffer))
  }

  static async open(url: string): Promise<BareClient> {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true })
    await once(socket, 'open')
    return new BareClient(socket)
  }

  triggerEvent(): void {
    this.#socket.send('x')
  }

  close(): void {
    this.#socket.close(1000)
  }
}
