import type { Producer, Router } from 'mediasoup/types'
import { PipeLink } from './pipe-link.ts'
import type { PipeOrigin } from './ports.ts'

/** A producer for one user of it, who releases it when it is no longer needed. */
export interface AcquiredProducer {
  producer: Producer
  /** Safe to repeat. */
  release(): void
}

interface SharedPipe {
  users: number
  opening: Promise<Producer>
  producer: Producer | null
}

/** The addresses on which links from other hosts, and from this host, are received. */
export interface PipeIps {
  local: string
  remote: string
}

/**
 * The producers of other routers that one router receives. Each is piped for its first user, and until its last one
 * releases it. All producers of one other router share a link.
 */
export class IncomingPipes {
  readonly #router: Router
  readonly #ips: PipeIps
  /** By the id of the other router. */
  readonly #links = new Map<string, Promise<PipeLink>>()
  /** By producer. */
  readonly #pipes = new Map<string, SharedPipe>()

  constructor(router: Router, ips: PipeIps) {
    this.#router = router
    this.#ips = ips
  }

  /** Rejects when the producer closes or a worker dies meanwhile. */
  async acquire(origin: PipeOrigin, producerId: string): Promise<AcquiredProducer> {
    const pipe = this.#pipes.get(producerId) ?? this.#open(origin, producerId)
    pipe.users += 1
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      pipe.users -= 1
      if (pipe.users === 0) pipe.producer?.close()
    }
    try {
      const producer = await pipe.opening
      return { producer, release }
    } catch (error) {
      release()
      throw error
    }
  }

  #open(origin: PipeOrigin, producerId: string): SharedPipe {
    const pipe: SharedPipe = { users: 0, opening: this.#receive(origin, producerId), producer: null }
    const remove = () => {
      if (this.#pipes.get(producerId) === pipe) this.#pipes.delete(producerId)
    }
    this.#pipes.set(producerId, pipe)
    pipe.opening.then(producer => {
      pipe.producer = producer
      if (producer.closed) return remove()
      producer.observer.once('close', remove)
      if (pipe.users === 0) producer.close() // all users have left meanwhile
    }, remove)
    return pipe
  }

  async #receive(origin: PipeOrigin, producerId: string): Promise<Producer> {
    const link = await (this.#links.get(origin.id) ?? this.#openLink(origin))
    return link.receive(producerId)
  }

  #openLink(origin: PipeOrigin): Promise<PipeLink> {
    const ip = origin.isRemote ? this.#ips.remote : this.#ips.local
    const opening = PipeLink.open(this.#router, ip, origin)
    const remove = () => {
      if (this.#links.get(origin.id) === opening) this.#links.delete(origin.id)
    }
    this.#links.set(origin.id, opening)
    opening.then(link => link.onClosed(remove), remove)
    return opening
  }
}
