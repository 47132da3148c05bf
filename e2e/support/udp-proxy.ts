import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll } from 'vitest'
import { ImpairedLink, type Impairment } from './impaired-link.ts'

/** Creates UDP proxies to a loopback port, which are closed after the tests of a file. */
export function useUdpProxies(): (port: number) => Promise<UdpProxy> {
  const paths: UdpProxy[] = []
  afterAll(() => {
    for (const path of paths) path.close()
  })
  return async port => {
    const path = new UdpProxy(port)
    paths.push(path)
    await path.listen()
    return path
  }
}

/** Behaves like a NAT router: every client has its own source port. */
export class UdpProxy {
  readonly #port: number
  readonly #front = createSocket('udp4')
  /** By client address. */
  readonly #backs = new Map<string, Socket>()
  #isCut = false
  /** From the clients, and to them. */
  readonly #up = new ImpairedLink()
  readonly #down = new ImpairedLink()

  constructor(port: number) {
    this.#port = port
    this.#front.on('message', (datagram, client) => {
      if (this.#isCut) return
      this.#up.send(datagram.length, () => this.#backFor(client).send(datagram, this.#port, '127.0.0.1'))
    })
  }

  get port(): number {
    return this.#front.address().port
  }

  async listen(): Promise<void> {
    this.#front.bind(0, '127.0.0.1')
    await once(this.#front, 'listening')
  }

  /** Drops all datagrams in both directions. */
  cut(): void {
    this.#isCut = true
  }

  restore(): void {
    this.#isCut = false
  }

  /** Replaces the impairments of both directions; absent: none. */
  impair({ up = {}, down = {} }: { up?: Impairment; down?: Impairment } = {}): void {
    this.#up.impair(up)
    this.#down.impair(down)
  }

  /** Changes the source port of every client, and closes the previous ones. */
  rebind(): void {
    for (const back of this.#backs.values()) back.close()
    this.#backs.clear()
  }

  close(): void {
    this.#up.close()
    this.#down.close()
    this.rebind()
    this.#front.close()
  }

  #backFor({ address, port }: RemoteInfo): Socket {
    const client = `${address} ${port}`
    const known = this.#backs.get(client)
    if (known) return known
    const back = createSocket('udp4')
    this.#backs.set(client, back)
    back.on('message', datagram => {
      if (this.#isCut) return
      this.#down.send(datagram.length, () => this.#front.send(datagram, port, address))
    })
    return back
  }
}
