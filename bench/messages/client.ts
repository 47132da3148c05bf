import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { CONTROL_PROFILE } from '@lectern/protocol/control'
import WebSocket from 'ws'

const options = { perMessageDeflate: false, skipUTF8Validation: true }

/** A client that sends a message when the one before was acknowledged, and counts what it receives. */
export abstract class Client {
  received = 0
  protected readonly socket: WebSocket
  readonly #waiting = new Map<string, () => void>()
  /** Unique for the account, whatever the client. */
  readonly #prefix = randomUUID()
  #sent = 0

  constructor(url: string, protocol?: string) {
    this.socket = new WebSocket(url, protocol, options)
  }

  /** Resolves with the acknowledgement. */
  send(text: string): Promise<void> {
    return this.request(id => this.frame(id, text))
  }

  protected request(frame: (id: string) => object): Promise<void> {
    const id = `${this.#prefix}.${++this.#sent}`
    return new Promise(resolve => {
      this.#waiting.set(id, resolve)
      this.socket.send(JSON.stringify(frame(id)))
    })
  }

  protected acknowledge(id: string): void {
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }

  /** Leaves for good, so that the server keeps nothing for it (rule W6). */
  close(): void {
    this.socket.close(1000)
  }

  protected abstract frame(id: string, text: string): object
}

export class BareClient extends Client {
  static async open(url: string): Promise<BareClient> {
    const client = new BareClient(url)
    client.socket.on('message', data => {
      const text = String(data)
      if (text.startsWith('{"message_id"')) client.received += 1
      else client.acknowledge((JSON.parse(text) as { id: string }).id)
    })
    await once(client.socket, 'open')
    return client
  }

  protected frame = (id: string, text: string) => ({ id, text })
}

/** A v2 client that does not parse events. */
export class Member extends Client {
  readonly #chatId: string
  #binding: unknown

  private constructor(url: string, chatId: string) {
    super(`${url.replace('http', 'ws')}/api/v1.0/control`, 'svc.control')
    this.#chatId = chatId
  }

  /** Logged in and synced. */
  static async open(url: string, token: string, chatId: string, instance: string): Promise<Member> {
    const member = new Member(url, chatId)
    const { socket } = member
    await once(socket, 'open')
    const offer = { versions: [1, 2], require_version: 2, profiles: [CONTROL_PROFILE] }
    const client = { name: 'bench', version: '1', platform: 'node' }
    socket.send(JSON.stringify({ login: { access_token: token, client, protocol_offer: offer } }))
    await once(socket, 'message')
    const synced = new Promise<void>(resolve => {
      socket.on('message', data => {
        const text = String(data)
        if (text.startsWith('{"control_event"')) {
          if (text.includes('"name":"message.added"')) member.received += 1
        } else if (text.startsWith('{"control_result"')) {
          const { command_id, status, error } = JSON.parse(text).control_result
          if (status === 'rejected') throw new Error(JSON.stringify(error))
          member.acknowledge(String(command_id))
        } else if (text.startsWith('{"control_sync_result"'))
          member.#binding = JSON.parse(text).control_sync_result.binding
        else if (text.startsWith('{"control_snapshot"')) {
          const { part_index, part_count } = JSON.parse(text).control_snapshot
          if (part_index === part_count - 1) resolve()
        }
      })
    })
    const sync = { request_id: 'r1', control_instance_id: instance, mode: 'fresh', cursors: [] }
    socket.send(JSON.stringify({ control_sync: sync }))
    await synced
    return member
  }

  list = () => this.request(id => this.#command(id, 'message.list', {}))

  protected frame = (id: string, text: string) => this.#command(id, 'message.send', { text })

  #command = (command_id: string, name: string, body: object) => ({
    control_command: {
      binding: this.#binding,
      command_id,
      target: { kind: 'chat', id: this.#chatId },
      name,
      body,
      ttl_ms: 10_000,
    },
  })
}
