import { randomUUID } from 'node:crypto'
import type { MediaSource } from '@lectern/protocol/control'
import type { Consumer, Producer, RtpCapabilities, Transport } from 'mediasoup/types'
import { layerFor, scalesOf } from './layers.ts'
import type { DisplaySize } from './ports.ts'

/** Shorter than a second, so that who asks each second is heard each time. */
const KEY_FRAME_EVERY_MS = 900

type State =
  | { is: 'opening' }
  | { is: 'offered'; consumer: Consumer }
  | { is: 'flowing'; consumer: Consumer }
  | { is: 'closed' }

/** A publication on its way to one viewer. Nothing is sent before the viewer has answered. */
export class Subscription {
  readonly negotiationId = `neg-${randomUUID()}`
  readonly producer: Producer
  readonly #source: MediaSource
  #state: State = { is: 'opening' }
  /** Undefined: nobody said, and the network decides. */
  #shown: DisplaySize | undefined
  #keyFrameAskedAt = Number.NEGATIVE_INFINITY

  constructor(producer: Producer, source: MediaSource, shown: DisplaySize | undefined) {
    this.producer = producer
    this.#source = source
    this.#shown = shown
  }

  /** Rejects when the producer or the transport is closed meanwhile. */
  async open(
    { transport }: { transport: Transport },
    rtpCapabilities: RtpCapabilities,
    onScore: () => void,
  ): Promise<void> {
    const producerId = this.producer.id
    const consumer = await transport.consume({ producerId, rtpCapabilities, paused: true })
    if (this.#state.is === 'closed' || transport.closed) return consumer.close()
    consumer.on('score', onScore)
    this.#state = { is: 'offered', consumer }
  }

  /** What the viewer has not answered yet. */
  get unanswered(): Consumer | null {
    return this.#state.is === 'offered' && !this.#state.consumer.closed ? this.#state.consumer : null
  }

  /** 0 to 10: how well the viewer receives it. Null when nothing should flow. */
  get score(): number | null {
    if (this.#state.is !== 'flowing') return null
    const { paused, producerPaused, closed, score } = this.#state.consumer
    return paused || producerPaused || closed ? null : score.score
  }

  async answered(): Promise<void> {
    if (this.#state.is !== 'offered') return
    this.#state = { is: 'flowing', consumer: this.#state.consumer }
    await this.#apply()
  }

  async show(shown: DisplaySize): Promise<void> {
    this.#shown = shown
    await this.#apply()
  }

  /** A whole picture costs its sender much: what is asked for more often counts once. */
  async requestKeyFrame(): Promise<void> {
    const now = performance.now()
    if (this.#state.is !== 'flowing' || now - this.#keyFrameAskedAt < KEY_FRAME_EVERY_MS) return
    const { consumer } = this.#state
    if (consumer.closed) return
    this.#keyFrameAskedAt = now
    await consumer.requestKeyFrame().catch(error => {
      if (!consumer.closed) throw error
    })
  }

  close(): void {
    if (this.#state.is === 'offered' || this.#state.is === 'flowing') this.#state.consumer.close()
    this.#state = { is: 'closed' }
  }

  async #apply(): Promise<void> {
    if (this.#state.is !== 'flowing' || this.#state.consumer.closed) return
    const { consumer } = this.#state
    if (this.#shown === null) return consumer.pause()
    // Sent together: a later wish must not arrive between the two.
    await Promise.all([this.#chooseLayers(consumer, this.#shown), consumer.resume()])
  }

  async #chooseLayers(consumer: Consumer, shown: NonNullable<DisplaySize> | undefined): Promise<void> {
    if (!shown || consumer.type === 'simple') return
    const scales = scalesOf(this.producer.rtpParameters.encodings ?? [])
    await consumer.setPreferredLayers({ spatialLayer: layerFor(shown, this.#source, scales) })
  }
}
