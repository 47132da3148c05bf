import type { SubscribeOffer } from '@lectern/protocol/control'
import { nowMs } from './clock.ts'
import type { Sink } from './intake.ts'
import type { IncomingTrack, SenderReport, Size, TrackCodec, TrackListener } from './ports.ts'

/** What comes before somebody listens: more than a minute of sound. */
const WAITING_MAX = 4_000
const KEY_FRAME_EVERY_MS = 1_000

interface TrackOrigin {
  publicationId: string
  offer: SubscribeOffer
  isPaused: boolean
  askKeyFrame: () => void
  /** Rejects when the server does not know it now. */
  tellSize: (size: Size) => Promise<unknown>
}

/** A publication on its way to this worker, from an offer to the end. */
export class Track implements IncomingTrack, Sink {
  readonly publicationId: string
  readonly participantId: string
  readonly source: IncomingTrack['source']
  readonly kind: IncomingTrack['kind']
  readonly codec: TrackCodec
  readonly ssrc: number
  /** Names the way from the media worker to here. */
  readonly consumerId: string
  isPaused: boolean
  readonly #askKeyFrame: () => void
  readonly #tellSize: (size: Size) => Promise<unknown>
  #shownAs = ''
  #listener: TrackListener | null = null
  #waiting: ((listener: TrackListener) => void)[] = []
  #isOver = false
  #askedAtMs = Number.NEGATIVE_INFINITY
  #askLater: NodeJS.Timeout | null = null

  constructor({ publicationId, offer, isPaused, askKeyFrame, tellSize }: TrackOrigin) {
    const { codec, ssrc } = readParameters(offer)
    this.publicationId = publicationId
    this.participantId = offer.participant_id
    this.source = offer.source
    this.kind = offer.kind
    this.consumerId = offer.consumer_id
    this.codec = codec
    this.ssrc = ssrc
    this.isPaused = isPaused
    this.#askKeyFrame = askKeyFrame
    this.#tellSize = tellSize
  }

  requestKeyFrame(): void {
    if (this.kind === 'audio' || this.#isOver || this.#askLater) return
    const wait = this.#askedAtMs + KEY_FRAME_EVERY_MS - nowMs()
    const ask = () => {
      this.#askLater = null
      this.#askedAtMs = nowMs()
      this.#askKeyFrame()
    }
    if (wait <= 0) ask()
    else this.#askLater = setTimeout(ask, wait)
  }

  showAs(size: Size): void {
    const news = `${size.width}x${size.height}`
    if (this.kind === 'audio' || this.#isOver || news === this.#shownAs) return
    this.#shownAs = news
    this.#tellSize(size).catch(() => {
      if (this.#shownAs === news) this.#shownAs = ''
    })
  }

  listen(listener: TrackListener): void {
    if (this.#listener) throw new Error('somebody listens to this track already')
    this.#listener = listener
    for (const tell of this.#waiting.splice(0)) tell(listener)
  }

  packet(rtp: Buffer, arrivedAtMs: number): void {
    this.#tell(listener => listener.packet(rtp, arrivedAtMs))
  }

  report(report: SenderReport, arrivedAtMs: number): void {
    this.#tell(listener => listener.report(report, arrivedAtMs))
  }

  pause(isPaused: boolean): void {
    if (isPaused === this.isPaused) return
    this.isPaused = isPaused
    const atMs = nowMs()
    this.#tell(listener => listener.paused(isPaused, atMs))
  }

  /** Safe to repeat. */
  end(): void {
    const atMs = nowMs()
    this.#tell(listener => listener.ended(atMs))
    this.#isOver = true
    if (this.#askLater) clearTimeout(this.#askLater)
  }

  #tell(tell: (listener: TrackListener) => void): void {
    if (this.#isOver) return
    if (this.#listener) tell(this.#listener)
    else this.#waiting.push(tell)
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift()
  }
}

interface Parameters {
  codecs: (Omit<TrackCodec, 'parameters'> & { parameters?: TrackCodec['parameters'] })[]
  encodings: { ssrc: number }[]
}

/** The server's word is taken for it: mediasoup's parameters of a consumer have one codec and one SSRC. */
function readParameters({ rtp_parameters }: SubscribeOffer): { codec: TrackCodec; ssrc: number } {
  const { codecs, encodings } = rtp_parameters as unknown as Parameters
  const [codec] = codecs
  const [encoding] = encodings
  if (!codec || !encoding) throw new Error('an offer without a codec')
  const { mimeType, payloadType, clockRate, channels, parameters = {} } = codec
  return {
    codec: { mimeType, payloadType, clockRate, ...(channels !== undefined && { channels }), parameters },
    ssrc: encoding.ssrc,
  }
}
