import type { SubscribeOffer } from '@lectern/protocol/control/client'
import type { TransportStatistics } from '../media/transport-statistics.ts'
import type {
  Consumer,
  IceRestart,
  MediaTransports,
  OpenedEndpoint,
  OpenTransports,
  Producer,
  ProducerParameters,
  SentTrack,
  TransportState,
} from '../ports.ts'
import { statsOf } from './stats-report.ts'

/** A track without a device. */
export class FakeTrack extends EventTarget {
  static count = 0
  readonly id = `track${++FakeTrack.count}`
  enabled = true
  readyState: 'live' | 'ended' = 'live'
  width = 1280
  contentHint = ''
  constraints: MediaTrackConstraints = {}
  getSettings = () => ({ width: this.width })
  applyConstraints = async (constraints: MediaTrackConstraints) => {
    this.constraints = constraints
  }
  stop = () => {
    this.readyState = 'ended'
  }
  /** Ends the track, as when the device is removed, or the browser's own button ends it. */
  end(): void {
    this.stop()
    this.dispatchEvent(new Event('ended'))
  }
}

/** Returns the track that is received of a publication. */
export type ReceiveTrack = (offer: SubscribeOffer) => MediaStreamTrack

export const aTrack = () => {
  const fake = new FakeTrack()
  return { fake, track: fake as unknown as MediaStreamTrack }
}

/** The fake client side of an endpoint. Producers are announced at once. */
export class FakeTransports implements MediaTransports {
  readonly rtpCapabilities = { codecs: [] }
  readonly opened: OpenedEndpoint
  readonly onState: (state: TransportState) => void
  readonly consumed: string[] = []
  readonly replaced: MediaStreamTrack[] = []
  restarts: IceRestart[] = []
  closed = false
  statistics: TransportStatistics = {
    sendableBps: null,
    videos: [],
    isEncoderBusy: false,
    sentLoss: 0,
    audio: [],
  }
  /** Whether the video of the newest producer is sent. */
  isSending = true
  /** Whether the newest producer has spatial layers. */
  isScalable = false
  /** Whether each read of the last frame finds another decoded frame. */
  decodes = true
  readonly #receive: ReceiveTrack
  #frames = 0
  producers = 0
  consumers = 0
  #rejectPending: (error: Error) => void = () => {}
  readonly #closedError = new Promise<never>((_, reject) => {
    this.#rejectPending = reject
  })

  constructor(
    opened: OpenedEndpoint,
    onState: (state: TransportState) => void,
    receive: ReceiveTrack = () => aTrack().track,
  ) {
    this.opened = opened
    this.#receive = receive
    this.onState = onState
    this.#closedError.catch(() => {})
  }

  async produce(
    { track, isScalable }: SentTrack,
    announce: (parameters: ProducerParameters) => Promise<void>,
  ): Promise<Producer> {
    const { width } = track.getSettings()
    await Promise.race([
      announce({ rtp_parameters: {}, dtls_parameters: { role: 'client' } }),
      this.#closedError,
    ])
    this.producers++
    this.isScalable = isScalable
    return {
      supports: other => other.getSettings().width === width,
      replaceTrack: async track => void this.replaced.push(track),
      setSending: async isSending => {
        this.isSending = isSending
      },
      close: () => void this.producers--,
    }
  }

  async consume(publicationId: string, offer: SubscribeOffer): Promise<Consumer> {
    this.consumed.push(publicationId)
    this.consumers++
    return {
      track: this.#receive(offer),
      dtls_parameters: { role: 'client' },
      lastFrameTimestamp: () => (this.decodes ? ++this.#frames : this.#frames),
      close: () => void this.consumers--,
    }
  }

  getStats = async () => statsOf(this.statistics)

  async restartIce(restart: IceRestart): Promise<void> {
    this.restarts.push(restart)
  }

  close(): void {
    this.closed = true
    this.#rejectPending(new Error('closed'))
  }
}

/** Opens fake transports and remembers them. */
export function fakeTransports(receive?: ReceiveTrack) {
  const all: FakeTransports[] = []
  const open: OpenTransports = async (opened, onState) => {
    const transports = new FakeTransports(opened, onState, receive)
    all.push(transports)
    return transports
  }
  return { all, open }
}
