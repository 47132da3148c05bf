import { connect } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'

/** For the negotiation of TLS (RFC 7443); browsers name no protocol for TURN. */
const ALPN = ['http/1.1', 'stun.turn']

/** A connection waits for its first byte as long as a request may take. */
const FIRST_BYTE_TIMEOUT_MS = 30_000

/** Connections of strangers cost two descriptors each, until coturn closes those without credentials after a minute. */
const CONNECTIONS_MAX = 4000

/** A STUN request begins with two zero bits and its method, all of which are below 256; HTTP begins with a letter. */
const isStun = (chunk: Buffer): boolean => chunk[0] === 0

/**
 * Separates TURN from HTTP on the port of an https server: connections that speak STUN after the handshake are passed to the
 * TURN server on this machine. Networks that permit HTTPS only cannot tell the two apart.
 */
export class StunMultiplexer {
  readonly #port: number
  readonly #timeoutMs: number
  #connections = 0

  constructor(port: number, timeoutMs = FIRST_BYTE_TIMEOUT_MS) {
    this.#port = port
    this.#timeoutMs = timeoutMs
  }

  get options() {
    return { ALPNProtocols: ALPN }
  }

  /** Connections that are passed on now. */
  get connections(): number {
    return this.#connections
  }

  /** Takes the place of the server's own handling of connections, which gets those that speak HTTP. */
  attach(server: Server): void {
    const handlers = server.listeners('secureConnection')
    server.removeAllListeners('secureConnection')
    server.on('secureConnection', socket =>
      this.#route(socket, () => {
        for (const handle of handlers) handle.call(server, socket)
      }),
    )
  }

  #route(socket: TLSSocket, toHttp: () => void): void {
    const end = () => socket.destroy()
    const timer = setTimeout(end, this.#timeoutMs)
    socket.once('error', end)
    socket.once('close', () => clearTimeout(timer))
    socket.once('readable', () => {
      const chunk = socket.read() as Buffer | null
      clearTimeout(timer)
      if (chunk === null) return end() // closed before it sent anything
      socket.off('error', end)
      socket.unshift(chunk)
      if (isStun(chunk)) this.#relay(socket)
      else toHttp()
    })
  }

  #relay(socket: TLSSocket): void {
    if (this.#connections >= CONNECTIONS_MAX) {
      socket.destroy()
      return
    }
    const upstream = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    this.#connections++
    socket.once('close', () => {
      this.#connections--
    })
    socket.setNoDelay(true)
    socket.pipe(upstream).pipe(socket)
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      one.on('error', () => one.destroy())
      one.once('close', () => other.destroy())
    }
  }
}
