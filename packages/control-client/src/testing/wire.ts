import type { WebSocketConstructor, WebSocketLike } from '../environment.ts'

type ToClient = { is: 'open' } | { is: 'text'; text: string } | { is: 'close'; code: number; reason: string }

/** What a server does with a new connection. */
export type Accept = (wire: Wire) => { received(text: string): void; closed(): void }

/** A socket pair that moves nothing by itself: what is sent waits until a test flushes it. */
export class Wire {
  toServer: string[] = []
  toClient: ToClient[] = [{ is: 'open' }]
  /** How the client closed it. */
  closedWith: { code: number; reason: string } | null = null
  over = false
  #client: WebSocketLike
  #server: ReturnType<Accept>

  constructor(client: WebSocketLike, accept: Accept) {
    this.#client = client
    this.#server = accept(this)
  }

  send = (text: string) => void this.toClient.push({ is: 'text', text })
  close = (code: number, reason: string) => void this.toClient.push({ is: 'close', code, reason })

  /** Delivers what waits, and what is sent because of it; at most `most` frames. */
  flush(most = Number.POSITIVE_INFINITY): number {
    let moved = 0
    while (moved < most && (this.flushToServer(1) || this.flushToClient(1))) moved++
    return moved
  }

  flushToServer(most = Number.POSITIVE_INFINITY): number {
    let moved = 0
    for (; moved < most && !this.over && this.toServer.length > 0; moved++)
      this.#server.received(this.toServer.shift() ?? '')
    return moved
  }

  flushToClient(most = Number.POSITIVE_INFINITY): number {
    let moved = 0
    for (; moved < most && !this.over && this.toClient.length > 0; moved++)
      this.#deliver(this.toClient.shift())
    return moved
  }

  /** The connection breaks; what was on its way is lost. */
  drop(): void {
    if (this.over) return
    this.#finish()
    call(this.#client.onclose, { code: 1006, reason: '' })
  }

  closedByClient(code: number, reason: string): void {
    this.closedWith = { code, reason }
    if (!this.over) this.#finish()
  }

  #finish(): void {
    this.over = true
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

/** Makes a wire for every WebSocket that is opened. */
export class FakeNetwork {
  wires: Wire[] = []
  up = true
  accept: Accept

  constructor(accept: Accept) {
    this.accept = accept
  }

  get last(): Wire {
    const wire = this.wires.at(-1)
    if (!wire) throw new Error('nothing was opened')
    return wire
  }

  readonly WebSocket: WebSocketConstructor = (() => {
    const network = this
    return class {
      onopen: unknown
      onmessage: unknown
      onclose: unknown
      onerror: unknown
      #wire = new Wire(this, network.accept)
      constructor() {
        network.wires.push(this.#wire)
        if (!network.up) this.#wire.toClient = [{ is: 'close', code: 1006, reason: '' }]
      }
      send = (text: string) => void this.#wire.toServer.push(text)
      close = (code = 1000, reason = '') => this.#wire.closedByClient(code, reason)
    }
  })()
}
