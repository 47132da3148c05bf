import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Creates TCP proxies to a server, which are closed after the tests of a file. */
export function useProxies(): (url: string) => Promise<TcpProxy> {
  const proxies: TcpProxy[] = []
  afterAll(() => Promise.all(proxies.map(proxy => proxy.close())))
  return async url => {
    const { hostname, port } = new URL(url)
    const proxy = new TcpProxy(Number(port), hostname)
    proxies.push(proxy)
    await proxy.listen()
    return proxy
  }
}

/**
 * - open: forwards all data.
 * - cut: resets all existing and new connections.
 * - frozen: keeps connections open without forwarding data.
 */
type NetworkState = 'open' | 'cut' | 'frozen'

/** A TCP proxy on the loopback address that simulates network failures. */
export class TcpProxy {
  readonly #port: number
  readonly #host: string
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true }, client => this.#accept(client))
  #state: NetworkState = 'open'

  constructor(port: number, host: string) {
    this.#port = port
    this.#host = host
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  freeze(): void {
    this.#state = 'frozen'
    for (const socket of this.#sockets) socket.pause()
  }

  restore(): void {
    this.#state = 'open'
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    if (this.#state === 'cut') return void client.resetAndDestroy()
    const server = connect({ port: this.#port, host: this.#host, allowHalfOpen: true })
    this.#forward(client, server)
    this.#forward(server, client)
  }

  /** Does not use a pipe, which would resume a paused socket. */
  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('data', chunk => to.write(chunk))
    from.on('end', () => to.end())
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    if (this.#state === 'frozen') from.pause()
  }
}
