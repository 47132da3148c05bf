import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { tokenOf } from './links.ts'
import type { Account } from './members.ts'
import { waitFor } from './wait.ts'

type Frame = Record<string, unknown>

interface Opening extends ClientOptions {
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

/** Opens sockets of the control channel; they are gone after each test. */
export function useRawControl(): (url: string, opening?: Opening) => Promise<RawControl> {
  const sockets: RawControl[] = []
  afterEach(() => {
    for (const { socket } of sockets.splice(0)) socket.terminate()
  })
  return async (url, { protocols = ['svc.control'], ...options } = {}) => {
    const raw = new RawControl(new WebSocket(controlUrl(url), protocols, options))
    sockets.push(raw)
    await waitFor(() => raw.socket.readyState === WebSocket.OPEN || raw.refusal, 'the handshake is answered')
    return raw
  }
}

/** A socket of the control channel with nobody behind it: what was said, and how it ended. */
export class RawControl {
  readonly socket: WebSocket
  readonly frames: Frame[] = []
  /** The HTTP answer in place of a WebSocket. */
  refusal: { status: number | undefined; body: unknown } | null = null
  /** Code and reason. */
  #end: [number, string] | null = null

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', data => this.frames.push(JSON.parse(String(data))))
    socket.on('close', (code, reason) => {
      this.#end = [code, String(reason)]
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

  /** Waits for a frame with this key, and this value if one is given. */
  async hears(key: string, value?: string): Promise<Frame> {
    const find = () =>
      this.frames.find(frame => key in frame && (value === undefined || frame[key] === value))
    return waitFor(find, `${key} ${value ?? ''} comes; so far ${JSON.stringify(this.frames).slice(0, 500)}`)
  }

  /** Code and reason of the end. */
  async ends(): Promise<[number, string]> {
    return waitFor(() => this.#end, 'the server closes')
  }
}
