import type { Producer, RtpCapabilities, RtpEncodingParameters } from 'mediasoup/types'
import type { AcquiredProducer } from './pipes/incoming-pipes.ts'
import type { PipeOrigin, RemoteTrack } from './pipes/ports.ts'
import type { RoomRouter } from './room-router.ts'

/** The source of the packets of a publication. Each producer of a publication is another source. */
export interface TrackSource {
  /** The encodings as the sender described them. */
  readonly encodings: RtpEncodingParameters[]
  canBeReceived(rtpCapabilities: RtpCapabilities): boolean
  /** The producer on one of the room's routers, piped there if it comes from another. Rejects when it has closed. */
  acquire(roomRouter: RoomRouter): Promise<AcquiredProducer>
}

/** A producer of a participant on this node. */
export class LocalSource implements TrackSource {
  readonly producer: Producer
  readonly roomRouter: RoomRouter

  constructor(producer: Producer, roomRouter: RoomRouter) {
    this.producer = producer
    this.roomRouter = roomRouter
  }

  get encodings(): RtpEncodingParameters[] {
    return this.producer.rtpParameters.encodings ?? []
  }

  /** Describes the source for other nodes. */
  describe(nodeId: string): RemoteTrack {
    const { id: producerId, rtpParameters } = this.producer
    const { id: routerId } = this.roomRouter
    const { mimeType = '' } = rtpParameters.codecs[0] ?? {}
    return { nodeId, routerId, producerId, mimeType, encodings: this.encodings }
  }

  canBeReceived(rtpCapabilities: RtpCapabilities): boolean {
    return this.roomRouter.router.canConsume({ producerId: this.producer.id, rtpCapabilities })
  }

  async acquire(roomRouter: RoomRouter): Promise<AcquiredProducer> {
    if (roomRouter === this.roomRouter) return { producer: this.producer, release: () => {} }
    return roomRouter.incoming.acquire(this.roomRouter, this.producer.id)
  }
}

/** A producer of a participant on another media node. */
export class RemoteSource implements TrackSource {
  readonly #track: RemoteTrack
  readonly #origin: PipeOrigin

  constructor(track: RemoteTrack, origin: PipeOrigin) {
    this.#track = track
    this.#origin = origin
  }

  get encodings(): RtpEncodingParameters[] {
    return this.#track.encodings
  }

  get producerId(): string {
    return this.#track.producerId
  }

  /** Whether the codec is known; mediasoup compares its parameters when the track is received. */
  canBeReceived({ codecs = [] }: RtpCapabilities): boolean {
    return codecs.some(({ mimeType }) => mimeType.toLowerCase() === this.#track.mimeType.toLowerCase())
  }

  acquire(roomRouter: RoomRouter): Promise<AcquiredProducer> {
    return roomRouter.incoming.acquire(this.#origin, this.#track.producerId)
  }
}
