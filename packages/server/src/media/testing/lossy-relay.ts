import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

interface Address {
  ip: string
  port: number
}

/** Relays UDP between two addresses, each of which knows one of its ports, and drops every nth packet to the second. */
export class LossyRelay {
  first: Address | null = null
  second: Address | null = null
  dropped = 0
  readonly #sockets: [Socket, Socket] = [createSocket('udp4'), createSocket('udp4')]

  static async open(dropEvery: number): Promise<LossyRelay> {
    const relay = new LossyRelay()
    for (const socket of relay.#sockets) {
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
    }
    relay.#forward(dropEvery)
    return relay
  }

  /** The address that the first side takes for the second. */
  get forFirst(): Address {
    return { ip: '127.0.0.1', port: this.#sockets[0].address().port }
  }

  get forSecond(): Address {
    return { ip: '127.0.0.1', port: this.#sockets[1].address().port }
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }

  #forward(dropEvery: number): void {
    const [one, two] = this.#sockets
    let count = 0
    one.on('message', packet => {
      count += 1
      if (count % dropEvery === 0) this.dropped += 1
      else if (this.second) two.send(packet, this.second.port, this.second.ip)
    })
    two.on('message', packet => {
      if (this.first) one.send(packet, this.first.port, this.first.ip)
    })
  }
}
