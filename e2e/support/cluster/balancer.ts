import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface Upstream {
  host: string
  port: number
}

/** Longer than a start of a connection on one machine takes. */
const CONNECT_WITHIN_MS = 2_000

/** A TCP load balancer: it uses the first server that accepts a connection. */
export class Balancer {
  readonly #upstreams: () => Upstream[]
  readonly #sockets = new Set<Socket>()
  readonly #server: Server = createServer(client => void this.#accept(client))

  /** `upstreams` returns the servers, preferred ones first; it is called for each connection. */
  constructor(upstreams: () => Upstream[]) {
    this.#upstreams = upstreams
  }

  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo
    return `http://${address}:${port}`
  }

  async listen(host = '127.0.0.1', port = 0): Promise<this> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    return this
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #accept(client: Socket): Promise<void> {
    this.#own(client)
    for (const upstream of this.#upstreams()) {
      const server = await open(upstream)
      if (!server) continue
      if (client.destroyed) return void server.destroy()
      this.#own(server)
      client.on('close', () => server.destroy())
      server.on('close', () => client.destroy())
      client.pipe(server).pipe(client)
      return
    }
    client.resetAndDestroy()
  }

  #own(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }
}

/** Null if the server does not accept a connection. */
async function open({ host, port }: Upstream): Promise<Socket | null> {
  const socket = connect({ host, port, timeout: CONNECT_WITHIN_MS })
  const connected = await new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true))
    socket.once('timeout', () => resolve(false))
    socket.once('error', () => resolve(false))
  })
  if (!connected) {
    socket.destroy()
    return null
  }
  socket.setTimeout(0)
  return socket
}
