import type { PayloadTypes } from '@lectern/protocol/control'
import type { Router, Transport } from 'mediasoup/types'
import { CODECS } from './codecs.ts'
import type { MediaWorker } from './media-worker.ts'
import { codecsFor } from './payload-types.ts'
import { IncomingPipes } from './pipes/incoming-pipes.ts'
import { LocalPipeSender } from './pipes/local-sender.ts'
import type { PipeAddress, PipeOrigin, PipeSender } from './pipes/ports.ts'

/** Links between workers of one machine. */
const LOOPBACK = '127.0.0.1'

/** A room's router on one worker. Producers of the room's other routers reach it through pipes. */
export class RoomRouter implements PipeOrigin {
  readonly node: MediaWorker
  readonly router: Router
  readonly incoming: IncomingPipes
  readonly isRemote = false
  readonly #transports = new Set<Transport>()

  private constructor(node: MediaWorker, router: Router) {
    this.node = node
    this.router = router
    this.incoming = new IncomingPipes(router, { local: LOOPBACK, remote: node.pipeIp })
    router.observer.on('newtransport', transport => {
      this.#transports.add(transport)
      transport.observer.once('close', () => this.#transports.delete(transport))
    })
  }

  /** With the payload types of a client, or mediasoup's. */
  static async create(node: MediaWorker, types?: PayloadTypes): Promise<RoomRouter> {
    const mediaCodecs = types ? codecsFor(types) : Object.values(CODECS)
    return new RoomRouter(node, await node.worker.createRouter({ mediaCodecs }))
  }

  get id(): string {
    return this.router.id
  }

  /** Closes its transports first: the worker's WebRTC server never forgets one that its router has closed. */
  close(): void {
    for (const transport of this.#transports) transport.close()
    this.router.close()
  }

  connect(receiver: PipeAddress): Promise<PipeSender> {
    return LocalPipeSender.connect(this.router, receiver, { ip: LOOPBACK, isRemote: false })
  }

  /** `connect` for a router on another host: with SRTP and RTX. */
  connectRemote(receiver: PipeAddress): Promise<PipeSender> {
    return LocalPipeSender.connect(this.router, receiver, { ip: this.node.pipeIp, isRemote: true })
  }
}
