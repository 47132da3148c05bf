import { randomUUID } from 'node:crypto'
import type { MediaSource } from '@lectern/protocol/control'
import type { Consumer, RtpCapabilities, Transport } from 'mediasoup/types'
import { layerFor, scalesOf } from './layers.ts'
import type { DisplaySize } from './ports.ts'
import { type LevelOfOne, receptionOf } from './reception.ts'
import type { RoomRouter } from './room-router.ts'
import type { TrackSource } from './track-source.ts'

/**
 * When a viewer's connection is too slow for all videos, mediasoup gives each of them its lowest layer in the order of
 * priority, then as many further layers at a time as its priority says. Audio is not subject to that.
 */
const PRIORITIES = { screen: 255, high: 128, normal: 1 }

/**
 * A still screen sends nothing until it is asked, and browsers ignore what is asked within 300 ms after another key frame: its
 * viewer, who has received nothing, would not ask again.
 */
const SCREEN_AGAIN_MS = 1_000

/** Below a second, so that one request per second is always granted. */
const KEY_FRAME_INTERVAL_MS = 900

type State =
  | { is: 'opening' }
  | { is: 'offered'; consumer: Consumer }
  | { is: 'active'; consumer: Consumer }
  | { is: 'closed' }

/** A publication that is forwarded to one viewer. Its consumer is paused until the viewer has answered. */
export class Subscription {
  readonly negotiationId = `neg-${randomUUID()}`
  readonly track: TrackSource
  readonly source: MediaSource
  #state: State = { is: 'opening' }
  /** Undefined: not reported; the available bandwidth decides. */
  #displaySize: DisplaySize | undefined
  #keyFrameRequestedAt = Number.NEGATIVE_INFINITY
  #priority = 1

  constructor(track: TrackSource, source: MediaSource, size: DisplaySize | undefined) {
    this.track = track
    this.source = source
    this.#displaySize = size
  }

  /** Rejects when the producer or the transport closes meanwhile. */
  async open(
    roomRouter: RoomRouter,
    { transport }: { transport: Transport },
    rtpCapabilities: RtpCapabilities,
    onScore: () => void,
  ): Promise<void> {
    const { producer, release } = await this.track.acquire(roomRouter)
    if (this.#isClosed) return release()
    try {
      const consumer = await transport.consume({ producerId: producer.id, rtpCapabilities, paused: true })
      consumer.observer.once('close', release)
      if (this.#isClosed || transport.closed) return consumer.close()
      consumer.on('score', onScore)
      this.#state = { is: 'offered', consumer }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Called once when the producer, or the pipe that it comes through, closes. MUST follow `open`. */
  onProducerClosed(listener: () => void): void {
    if (this.#state.is !== 'offered' && this.#state.is !== 'active') return
    const { consumer } = this.#state
    if (consumer.closed) setImmediate(listener)
    else consumer.once('producerclose', listener)
  }

  /** The consumer that waits for the viewer's answer. */
  get pendingConsumer(): Consumer | null {
    return this.#state.is === 'offered' && !this.#state.consumer.closed ? this.#state.consumer : null
  }

  /** Quality of reception, 0 to 10; null while paused. */
  get score(): number | null {
    if (this.#state.is !== 'active') return null
    const { paused, producerPaused, closed, score } = this.#state.consumer
    return paused || producerPaused || closed ? null : score.score
  }

  /** The reception of a displayed video over the viewer's connection; null while there is nothing to display. */
  get reception(): LevelOfOne | null {
    return this.#state.is === 'active' && this.#displaySize ? receptionOf(this.#state.consumer) : null
  }

  async activate(): Promise<void> {
    if (this.#state.is !== 'offered') return
    this.#state = { is: 'active', consumer: this.#state.consumer }
    if (this.source === 'screen')
      setTimeout(() => this.requestKeyFrame().catch(() => {}), SCREEN_AGAIN_MS).unref()
    await this.#apply()
  }

  async setDisplaySize(size: DisplaySize): Promise<void> {
    this.#displaySize = size
    await this.#apply()
  }

  /** Key frames are expensive for the sender: more frequent requests are dropped. */
  async requestKeyFrame(): Promise<void> {
    const now = performance.now()
    if (this.#state.is !== 'active' || now - this.#keyFrameRequestedAt < KEY_FRAME_INTERVAL_MS) return
    const { consumer } = this.#state
    if (consumer.closed) return
    this.#keyFrameRequestedAt = now
    await consumer.requestKeyFrame().catch(error => {
      if (!consumer.closed) throw error
    })
  }

  close(): void {
    if (this.#state.is === 'offered' || this.#state.is === 'active') this.#state.consumer.close()
    this.#state = { is: 'closed' }
  }

  get #isClosed(): boolean {
    return this.#state.is === 'closed'
  }

  async #apply(): Promise<void> {
    if (this.#state.is !== 'active' || this.#state.consumer.closed) return
    const { consumer } = this.#state
    if (this.#displaySize === null) return consumer.pause()
    // Sent together, so that a later change cannot interleave.
    await Promise.all([
      this.#setPriority(consumer, this.#displaySize),
      this.#chooseLayers(consumer, this.#displaySize),
      consumer.resume(),
    ])
  }

  async #setPriority(consumer: Consumer, size: NonNullable<DisplaySize> | undefined): Promise<void> {
    const priority = this.source === 'screen' ? PRIORITIES.screen : PRIORITIES[size?.priority ?? 'normal']
    if (priority === this.#priority) return
    this.#priority = priority
    await consumer.setPriority(priority)
  }

  async #chooseLayers(consumer: Consumer, size: NonNullable<DisplaySize> | undefined): Promise<void> {
    if (!size || consumer.type === 'simple') return
    const scales = scalesOf(this.track.encodings)
    await consumer.setPreferredLayers({ spatialLayer: layerFor(size, this.source, scales) })
  }
}
