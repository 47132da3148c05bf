import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll } from 'vitest'

/** Makes ways for datagrams to a port on the loopback address; they are gone after the tests of the file. */
export function useUdpPaths(): (port: number) => Promise<UdpPath> {
  const paths: UdpPath[] = []
  afterAll(() => {
    for (const path of paths) path.close()
  })
  return async port => {
    const path = new UdpPath(port)
    paths.push(path)
    await path.listen()
    return path
  }
}

/** What a router with address translation is to datagrams, with a port of its own for each client. */
export class UdpPath {
  readonly #port: number
  readonly #front = createSocket('udp4')
  /** By the client. */
  readonly #backs = new Map<string, Socket>()
  #isCut = false

  constructor(port: number) {
    this.#port = port
    this.#front.on('message', (datagram, client) => {
      if (!this.#isCut) this.#backFor(client).send(datagram, this.#port, '127.0.0.1')
    })
  }

  get port(): number {
    return this.#front.address().port
  }

  async listen(): Promise<void> {
    this.#front.bind(0, '127.0.0.1')
    await once(this.#front, 'listening')
  }

  /** From now on nothing passes, either way. */
  cut(): void {
    this.#isCut = true
  }

  heal(): void {
    this.#isCut = false
  }

  /** The server sees everybody come from another port, and reaches nobody at the former one. */
  rebind(): void {
    for (const back of this.#backs.values()) back.close()
    this.#backs.clear()
  }

  close(): void {
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
      if (!this.#isCut) this.#front.send(datagram, port, address)
    })
    return back
  }
}
