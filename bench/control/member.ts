import { once } from 'node:events'
import { CONTROL_PROFILE } from '@lectern/protocol/control'
import WebSocket from 'ws'

/** Somebody who hears what is said to all, and can say something to all. */
export interface Listener {
  onEvent: (frame: Buffer) => void
  /** One event to everybody follows. */
  say(): void
  close(): void
}

export interface Ticket {
  token: string
  /** Of the conference. */
  tag: string
}

/** One step of a negotiation; the reference names what it is about. */
export interface MediaStep {
  media: Record<string, string>
  name: string
  body: Record<string, unknown>
}

type Content = Record<string, unknown> & { status?: string; error?: { code: string; message?: string } }

/**
 * The least of a v2 client that takes part in a conference (docs/control-protocol.md). It reads no event, so that
 * hundreds of them in one process are no slower than the server.
 */
export class Member implements Listener {
  onEvent: (frame: Buffer) => void = () => {}
  onMedia: (step: MediaStep) => void = () => {}
  readonly #url: string
  readonly #ticket: Ticket
  readonly #waiting = new Map<string, (content: Content) => void>()
  #socket: WebSocket | null = null
  #lost: Promise<unknown> = Promise.resolve()
  #binding: unknown
  #place = { conference_session_id: '', participant_id: '' }
  #sent = 0
  #hand = false

  constructor(url: string, ticket: Ticket) {
    this.#url = `${url.replace('http', 'ws')}/api/v1.0/control`
    this.#ticket = ticket
  }

  /** Resolves when it is inside; also after a loss. */
  async enter(): Promise<void> {
    const socket = new WebSocket(this.#url, 'svc.control', {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    })
    this.#socket = socket
    this.#lost = new Promise(resolve => socket.once('close', resolve))
    socket.on('message', data => this.#received(data as Buffer))
    await once(socket, 'open')
    socket.on('error', () => {}) // the close follows

    const { token, tag } = this.#ticket
    const client = { name: 'bench', version: '1', platform: 'node' }
    const protocol_offer = { versions: [2], require_version: 2, profiles: [CONTROL_PROFILE] }
    await this.#ask('login_result', { login: { access_token: token, client, protocol_offer } })
    const request_id = this.#newId('r')
    const sync = { request_id, control_instance_id: `bench.${process.pid}`, mode: 'fresh', cursors: [] }
    this.#binding = (await this.#ask(request_id, { control_sync: sync })).binding
    const { data } = await this.#command('conference.join', { kind: 'conference', id: tag }, {})
    this.#place = data as typeof this.place
  }

  /** Where it sits in the conference. */
  get place(): { conference_session_id: string; participant_id: string } {
    return this.#place
  }

  sendMedia(step: MediaStep): void {
    this.#socket?.send(JSON.stringify({ control_media: { binding: this.#binding, ...step } }))
  }

  /** Resolves with the last word about it. */
  command(name: string, body: object): Promise<Content> {
    return this.#command(name, { kind: 'conference_session', id: this.#place.conference_session_id }, body)
  }

  /** A hand up or down: nothing is stored, everybody is told. */
  changeHand(): Promise<Content> {
    this.#hand = !this.#hand
    return this.command('participant.update', { hand_raised: this.#hand })
  }

  say(): void {
    void this.changeHand()
  }

  get lost(): Promise<unknown> {
    return this.#lost
  }

  close(): void {
    this.#socket?.close(1000)
  }

  #command(name: string, target: object, body: object): Promise<Content> {
    const command_id = this.#newId('c')
    const command = { binding: this.#binding, command_id, target, name, body, ttl_ms: 60_000 }
    return this.#ask(command_id, { control_command: command })
  }

  #newId(prefix: string): string {
    return `${prefix}.${++this.#sent}`
  }

  #ask(id: string, frame: object): Promise<Content> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, content => {
        if (content.error) reject(new Error(`${content.error.code}: ${content.error.message}`))
        else resolve(content)
      })
      this.#socket?.send(JSON.stringify(frame))
    })
  }

  #received(data: Buffer): void {
    const kind = data.toString('latin1', 2, 15)
    if (kind === 'control_event') this.onEvent(data)
    else if (kind === 'control_media') this.onMedia(JSON.parse(data.toString()).control_media)
    else if (kind !== 'control_snaps') this.#answered(data)
  }

  #answered(data: Buffer): void {
    const [[name, content]] = Object.entries(JSON.parse(data.toString())) as [[string, Content]]
    if (content.status === 'received') return
    const id = String(content.command_id ?? content.request_id ?? name)
    this.#waiting.get(id)?.(content)
    this.#waiting.delete(id)
  }
}

/** A client of the bare server, which sends one and the same text to all when one of them says anything. */
export class BareListener implements Listener {
  onEvent: (frame: Buffer) => void = () => {}
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => this.onEvent(data as Buffer))
  }

  static async open(url: string): Promise<BareListener> {
    const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true })
    await once(socket, 'open')
    return new BareListener(socket)
  }

  say(): void {
    this.#socket.send('x')
  }

  close(): void {
    this.#socket.close(1000)
  }
}
