import type { PipeTransport, Producer, Router } from 'mediasoup/types'
import { openIn } from '../open-in.ts'
import { addressOf, connectTo, openPipeTransport } from './pipe-transport.ts'
import type { PipedTrackEvent, PipeOrigin, PipeSender } from './ports.ts'

/** The receiving end of a link between two routers, with its sender. Either end closes the other. */
export class PipeLink {
  readonly #transport: PipeTransport
  readonly #sender: PipeSender

  private constructor(transport: PipeTransport, sender: PipeSender) {
    this.#transport = transport
    this.#sender = sender
    transport.observer.once('close', () => sender.close())
    sender.onClosed(() => transport.close())
  }

  /** Rejects when a worker dies meanwhile; then nothing stays open. */
  static async open(router: Router, ip: string, origin: PipeOrigin): Promise<PipeLink> {
    const transport = await openPipeTransport(router, ip, origin.isRemote)
    try {
      const sender = await origin.connect(addressOf(transport))
      const link = new PipeLink(transport, sender)
      if (transport.closed) sender.close() // the observers of a closed transport are not notified
      await connectTo(transport, sender.address)
      return link
    } catch (error) {
      transport.close()
      throw error
    }
  }

  /**
   * A producer that has the packets and the paused state of one of the other router, and closes with it. Its id is
   * another one, because ids are unique in a worker. Closing it ends the transmission.
   */
  async receive(id: string): Promise<Producer> {
    let producer: Producer | null = null
    let last: PipedTrackEvent | null = null
    const apply = () => {
      if (last === 'closed') producer?.close()
      else if (last && producer && !producer.closed)
        (last === 'paused' ? producer.pause() : producer.resume()).catch(() => {}) // it is closed meanwhile
    }
    const track = await this.#sender.send(id, event => {
      last = event
      apply()
    })
    try {
      const { kind, rtpParameters, paused } = track
      producer = await openIn(this.#transport, this.#transport.produce({ kind, rtpParameters, paused }))
      producer.observer.once('close', () => this.#sender.stop(id))
      apply()
      return producer
    } catch (error) {
      this.#sender.stop(id)
      throw error
    }
  }

  /** Called once; at once when it is closed already. */
  onClosed(listener: () => void): void {
    if (this.#transport.closed) listener()
    else this.#transport.observer.once('close', listener)
  }
}
