import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { tokenOf } from './links.ts'
import type { Account } from './members.ts'
import { waitFor } from './wait.ts'

type Frame = Record<string, unknown>

interface SocketOptions extends ClientOptions {
  protocols?: string[]
}

export const OFFER = { versions: [1, 2], require_version: 2, profiles: ['svc.control.v2.core'] }

export const controlUrl = (url: string) => `${url.replace('http', 'ws')}/api/v1.0/control`

export const loginFrame = (account: Account, more: { link?: string; offer?: unknown } = {}) => ({
  login: {
    access_token: account.access_token,
    client: { name: 'e2e', version: '1', platform: 'node' },
    ...(more.link && { join_token: tokenOf(more.link) }),
    ...(more.offer !== undefined && { protocol_offer: more.offer }),
  },
})

/** Opens raw sockets of the control channel, which are closed after each test. */
export function useRawControl(): (url: string, opening?: SocketOptions) => Promise<RawControlSocket> {
  const sockets: RawControlSocket[] = []
  afterEach(() => {
    for (const { socket } of sockets.splice(0)) socket.terminate()
  })
  return async (url, { protocols = ['svc.control'], ...options } = {}) => {
    const raw = new RawControlSocket(new WebSocket(controlUrl(url), protocols, options))
    sockets.push(raw)
    await waitFor(
      () => raw.socket.readyState === WebSocket.OPEN || raw.refusal,
      'the handshake has a response',
    )
    return raw
  }
}

/** A control socket without a client: records received frames and the close. */
export class RawControlSocket {
  readonly socket: WebSocket
  readonly frames: Frame[] = []
  /** The HTTP response of a rejected upgrade. */
  refusal: { status: number | undefined; body: unknown } | null = null
  /** Close code and reason. */
  #closed: [number, string] | null = null

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', data => this.frames.push(JSON.parse(String(data))))
    socket.on('close', (code, reason) => {
      this.#closed = [code, String(reason)]
    })
    socket.on('unexpected-response', async (_request, response: IncomingMessage) => {
      this.refusal = { status: response.statusCode, body: await json(response) }
    })
    socket.on('error', () => {}) // a close follows
  }

  send(frame: object | string): this {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
    return this
  }

  /** Waits for a frame with the given key, and value if given. */
  async waitForFrame(key: string, value?: string): Promise<Frame> {
    const find = () =>
      this.frames.find(frame => key in frame && (value === undefined || frame[key] === value))
    return waitFor(
      find,
      `${key} ${value ?? ''} arrives; received so far: ${JSON.stringify(this.frames).slice(0, 500)}`,
    )
  }

  /** Waits for the close; returns its code and reason. */
  async waitForClose(): Promise<[number, string]> {
    return waitFor(() => this.#closed, 'the server closes')
  }
}
