import type { WebSocketConstructor, WebSocketLike } from '../environment.ts'

type ToClient = { is: 'open' } | { is: 'text'; text: string } | { is: 'close'; code: number; reason: string }

/** How a server handles a new connection. */
export type Accept = (socket: FakeSocket) => { received(text: string): void; closed(): void }

/** A socket pair that delivers frames only when a test flushes it. */
export class FakeSocket {
  toServer: string[] = []
  toClient: ToClient[] = [{ is: 'open' }]
  /** The close code and reason of the client. */
  closedWith: { code: number; reason: string } | null = null
  isClosed = false
  #client: WebSocketLike
  #server: ReturnType<Accept>

  constructor(client: WebSocketLike, accept: Accept) {
    this.#client = client
    this.#server = accept(this)
  }

  send = (text: string) => void this.toClient.push({ is: 'text', text })
  close = (code: number, reason: string) => void this.toClient.push({ is: 'close', code, reason })

  /** Delivers queued frames and the frames sent in response, at limit `limit`. */
  flush(limit = Number.POSITIVE_INFINITY): number {
    let delivered = 0
    while (delivered < limit && (this.flushToServer(1) || this.flushToClient(1))) delivered++
    return delivered
  }

  flushToServer(limit = Number.POSITIVE_INFINITY): number {
    let delivered = 0
    for (; delivered < limit && !this.isClosed && this.toServer.length > 0; delivered++)
      this.#server.received(this.toServer.shift() ?? '')
    return delivered
  }

  flushToClient(limit = Number.POSITIVE_INFINITY): number {
    let delivered = 0
    for (; delivered < limit && !this.isClosed && this.toClient.length > 0; delivered++)
      this.#deliver(this.toClient.shift())
    return delivered
  }

  /** Breaks the connection; frames in transit are lost. */
  drop(): void {
    if (this.isClosed) return
    this.#finish()
    call(this.#client.onclose, { code: 1006, reason: '' })
  }

  closeByClient(code: number, reason: string): void {
    this.closedWith = { code, reason }
    if (!this.isClosed) this.#finish()
  }

  #finish(): void {
    this.isClosed = true
    this.toServer = []
    this.toClient = []
    this.#server.closed()
  }

  #deliver(item: ToClient | undefined): void {
    if (item?.is === 'open') call(this.#client.onopen, {})
    if (item?.is === 'text') call(this.#client.onmessage, { data: item.text })
    if (item?.is !== 'close') return
    this.#finish()
    call(this.#client.onclose, item)
  }
}

const call = (handler: unknown, event: unknown) => (handler as (event: unknown) => void)(event)

/** Creates a fake socket for every WebSocket that a client opens. */
export class FakeNetwork {
  sockets: FakeSocket[] = []
  /** The subprotocols of each socket. */
  offered: string[][] = []
  up = true
  accept: Accept

  constructor(accept: Accept) {
    this.accept = accept
  }

  get last(): FakeSocket {
    const socket = this.sockets.at(-1)
    if (!socket) throw new Error('no socket was opened')
    return socket
  }

  readonly WebSocket: WebSocketConstructor = (() => {
    const network = this
    return class {
      onopen: unknown
      onmessage: unknown
      onclose: unknown
      onerror: unknown
      #socket = new FakeSocket(this, network.accept)
      constructor(_url: string, protocols: string[]) {
        network.sockets.push(this.#socket)
        network.offered.push(protocols)
        if (!network.up) this.#socket.toClient = [{ is: 'close', code: 1006, reason: '' }]
      }
      send = (text: string) => void this.#socket.toServer.push(text)
      close = (code = 1000, reason = '') => this.#socket.closeByClient(code, reason)
    }
  })()
}
