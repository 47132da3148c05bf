import type { SubscribeOffer } from '@lectern/protocol/control'
import { nowMs } from './clock.ts'
import type { IncomingTrack, SenderReport, Size, TrackCodec, TrackListener } from './ports.ts'
import type { Sink } from './rtp-receiver.ts'

/** Packets buffered before a listener is set: more than a minute of audio. */
const UNDELIVERED_MAX = 4_000
const KEY_FRAME_INTERVAL_MS = 1_000

interface TrackOrigin {
  publicationId: string
  offer: SubscribeOffer
  isPaused: boolean
  requestKeyFrame: () => void
  /** Rejects when the server did not accept the size. */
  setDisplaySize: (size: Size) => Promise<unknown>
}

/** A subscribed publication, from the offer to its end. */
export class SubscribedTrack implements IncomingTrack, Sink {
  readonly publicationId: string
  readonly participantId: string
  readonly source: IncomingTrack['source']
  readonly kind: IncomingTrack['kind']
  readonly codec: TrackCodec
  readonly ssrc: number
  /** Identifies the consumer at the media worker. */
  readonly consumerId: string
  isPaused: boolean
  readonly #requestKeyFrame: () => void
  readonly #setDisplaySize: (size: Size) => Promise<unknown>
  #displaySize = ''
  #listener: TrackListener | null = null
  #undelivered: ((listener: TrackListener) => void)[] = []
  #isOver = false
  #requestedAtMs = Number.NEGATIVE_INFINITY
  #requestTimer: NodeJS.Timeout | null = null

  constructor({ publicationId, offer, isPaused, requestKeyFrame, setDisplaySize }: TrackOrigin) {
    const { codec, ssrc } = readParameters(offer)
    this.publicationId = publicationId
    this.participantId = offer.participant_id
    this.source = offer.source
    this.kind = offer.kind
    this.consumerId = offer.consumer_id
    this.codec = codec
    this.ssrc = ssrc
    this.isPaused = isPaused
    this.#requestKeyFrame = requestKeyFrame
    this.#setDisplaySize = setDisplaySize
  }

  requestKeyFrame(): void {
    if (this.kind === 'audio' || this.#isOver || this.#requestTimer) return
    const wait = this.#requestedAtMs + KEY_FRAME_INTERVAL_MS - nowMs()
    const request = () => {
      this.#requestTimer = null
      this.#requestedAtMs = nowMs()
      this.#requestKeyFrame()
    }
    if (wait <= 0) request()
    else this.#requestTimer = setTimeout(request, wait)
  }

  setDisplaySize(size: Size): void {
    const wanted = `${size.width}x${size.height}`
    if (this.kind === 'audio' || this.#isOver || wanted === this.#displaySize) return
    this.#displaySize = wanted
    this.#setDisplaySize(size).catch(() => {
      if (this.#displaySize === wanted) this.#displaySize = ''
    })
  }

  setListener(listener: TrackListener): void {
    if (this.#listener) throw new Error('the track already has a listener')
    this.#listener = listener
    for (const deliver of this.#undelivered.splice(0)) deliver(listener)
  }

  packet(rtp: Buffer, arrivedAtMs: number): void {
    this.#deliver(listener => listener.packet(rtp, arrivedAtMs))
  }

  report(report: SenderReport, arrivedAtMs: number): void {
    this.#deliver(listener => listener.report(report, arrivedAtMs))
  }

  pause(isPaused: boolean): void {
    if (isPaused === this.isPaused) return
    this.isPaused = isPaused
    const atMs = nowMs()
    this.#deliver(listener => listener.paused(isPaused, atMs))
  }

  /** Safe to repeat. */
  end(): void {
    const atMs = nowMs()
    this.#deliver(listener => listener.ended(atMs))
    this.#isOver = true
    if (this.#requestTimer) clearTimeout(this.#requestTimer)
  }

  #deliver(deliver: (listener: TrackListener) => void): void {
    if (this.#isOver) return
    if (this.#listener) deliver(this.#listener)
    else this.#undelivered.push(deliver)
    if (this.#undelivered.length > UNDELIVERED_MAX) this.#undelivered.shift()
  }
}

interface Parameters {
  codecs: (Omit<TrackCodec, 'parameters'> & { parameters?: TrackCodec['parameters'] })[]
  encodings: { ssrc: number }[]
}

/** Consumer parameters of mediasoup have exactly one codec and one SSRC. */
function readParameters({ rtp_parameters }: SubscribeOffer): { codec: TrackCodec; ssrc: number } {
  const { codecs, encodings } = rtp_parameters as unknown as Parameters
  const [codec] = codecs
  const [encoding] = encodings
  if (!codec || !encoding) throw new Error('the offer has no codec')
  const { mimeType, payloadType, clockRate, channels, parameters = {} } = codec
  return {
    codec: { mimeType, payloadType, clockRate, ...(channels !== undefined && { channels }), parameters },
    ssrc: encoding.ssrc,
  }
}
