import type { Consumer, PipeTransport, Router } from 'mediasoup/types'
import { withDependencyDescriptor } from '../dependency-descriptor.ts'
import { openIn } from '../open-in.ts'
import { addressOf, connectTo, openPipeTransport } from './pipe-transport.ts'
import type { PipeAddress, PipedTrack, PipedTrackEvent, PipeSender } from './ports.ts'

/** The sending end on a router of this node. */
export class LocalPipeSender implements PipeSender {
  readonly #transport: PipeTransport
  /** By producer. Null while a consumer is being created. */
  readonly #consumers = new Map<string, { consumer: Consumer | null }>()

  private constructor(transport: PipeTransport) {
    this.#transport = transport
  }

  /** Rejects when the worker dies meanwhile. */
  static async connect(
    router: Router,
    receiver: PipeAddress,
    { ip, isRemote }: { ip: string; isRemote: boolean },
  ): Promise<LocalPipeSender> {
    const transport = await openPipeTransport(router, ip, isRemote)
    try {
      await connectTo(transport, receiver)
      return new LocalPipeSender(transport)
    } catch (error) {
      transport.close()
      throw error
    }
  }

  get address(): PipeAddress {
    return addressOf(this.#transport)
  }

  async send(producerId: string, onEvent: (event: PipedTrackEvent) => void): Promise<PipedTrack> {
    this.stop(producerId)
    const sent: { consumer: Consumer | null } = { consumer: null }
    const remove = () => this.#consumers.get(producerId) === sent && this.#consumers.delete(producerId)
    this.#consumers.set(producerId, sent)
    try {
      const consumer = await openIn(this.#transport, this.#transport.consume({ producerId }))
      sent.consumer = consumer
      if (this.#consumers.get(producerId) !== sent) consumer.close()
      if (consumer.closed) throw new Error('the pipe was closed meanwhile')
      consumer.on('producerpause', () => onEvent('paused'))
      consumer.on('producerresume', () => onEvent('resumed'))
      const closed = () => {
        remove()
        onEvent('closed')
      }
      consumer.once('producerclose', closed)
      consumer.once('transportclose', closed)
      const { kind, rtpParameters, producerPaused: paused } = consumer
      return { kind, rtpParameters: withDependencyDescriptor(rtpParameters), paused }
    } catch (error) {
      remove()
      throw error
    }
  }

  stop(producerId: string): void {
    this.#consumers.get(producerId)?.consumer?.close()
    this.#consumers.delete(producerId)
  }

  onClosed(listener: () => void): void {
    if (this.#transport.closed) listener()
    else this.#transport.observer.once('close', listener)
  }

  close(): void {
    this.#transport.close()
  }
}
