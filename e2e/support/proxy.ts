import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Makes networks between clients and a server; they are gone after the tests of the file. */
export function useProxies(): (url: string) => Promise<TcpProxy> {
  const proxies: TcpProxy[] = []
  afterAll(() => Promise.all(proxies.map(proxy => proxy.close())))
  return async url => {
    const proxy = new TcpProxy(Number(new URL(url).port))
    proxies.push(proxy)
    await proxy.listen()
    return proxy
  }
}

/**
 * - open: everything passes.
 * - cut: every connection was destroyed, and each new one is at once.
 * - frozen: connections stand, and nothing passes.
 */
type Weather = 'open' | 'cut' | 'frozen'

/** A network that goes bad when a test asks for it: TCP on the loopback address. */
export class TcpProxy {
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer({ allowHalfOpen: true }, client => this.#accept(client))
  #weather: Weather = 'open'

  constructor(port: number) {
    this.#port = port
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  cut(): void {
    this.#weather = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  freeze(): void {
    this.#weather = 'frozen'
    for (const socket of this.#sockets) socket.pause()
  }

  heal(): void {
    this.#weather = 'open'
    for (const socket of this.#sockets) socket.resume()
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #accept(client: Socket): void {
    if (this.#weather === 'cut') return void client.resetAndDestroy()
    const server = connect({ port: this.#port, host: '127.0.0.1', allowHalfOpen: true })
    this.#forward(client, server)
    this.#forward(server, client)
  }

  /** By hand, because a pipe would resume what is frozen. */
  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('data', chunk => to.write(chunk))
    from.on('end', () => to.end())
    from.on('error', () => to.resetAndDestroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    if (this.#weather === 'frozen') from.pause()
  }
}
