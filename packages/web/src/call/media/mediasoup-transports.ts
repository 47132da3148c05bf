import { RunningWork, sleep } from '@lectern/common'
import type { JsonObject, MediaTransport, SubscribeOffer } from '@lectern/protocol/control/client'
import type { types } from 'mediasoup-client'
import type {
  Consumer,
  IceRestart,
  MediaTransports,
  OpenedEndpoint,
  Producer,
  ProducerParameters,
  SentTrack,
  TransportState,
} from '../ports.ts'
import { encodingOf } from './encodings.ts'
import { prepareMediasoup } from './mediasoup-device.ts'
import { SCALABLE } from './scalable-camera.ts'

/** Offers that arrive within this time are negotiated together: each negotiation takes the browser tens of milliseconds. */
const GATHER_MS = 10

/** How long own tracks wait for others' that are being negotiated. */
const RECEIVES_FIRST_MS = 300

type Announce = (parameters: ProducerParameters) => Promise<void>

export async function openMediasoupTransports(
  opened: OpenedEndpoint,
  onState: (state: TransportState) => void,
): Promise<MediaTransports> {
  const makeDevice = await prepareMediasoup()
  const device = makeDevice()
  // The parameters have mediasoup's format on both sides; nothing in between reads them.
  await device.load({
    routerRtpCapabilities: opened.router_rtp_capabilities as unknown as types.RtpCapabilities,
  })
  return new MediasoupTransports(device, opened, onState)
}

class MediasoupTransports implements MediaTransports {
  readonly rtpCapabilities: JsonObject
  /** mediasoup-client sends in the first codec that both sides support, unless another one is named. */
  readonly #videoCodecs: types.RtpCodecCapability[]
  readonly #send: Transport
  readonly #receive: Transport
  /** Until the offers that arrive together are there. */
  #gathering: Promise<void> | null = null
  /** Tracks that are offered and not received yet. */
  readonly #consuming = new RunningWork()

  constructor(device: types.Device, opened: OpenedEndpoint, onState: (state: TransportState) => void) {
    this.rtpCapabilities = device.recvRtpCapabilities as unknown as JsonObject
    const codecs = device.sendRtpCapabilities.codecs ?? []
    this.#videoCodecs = codecs.filter(({ kind }) => kind === 'video')
    const iceServers = opened.ice_servers
    this.#send = new Transport(device.createSendTransport(optionsOf(opened.send, iceServers)))
    this.#receive = new Transport(
      device.createRecvTransport({
        ...optionsOf(opened.receive, iceServers),
        // Opens its sockets while the first tracks are negotiated: afterwards that waits for the thread of the page.
        additionalSettings: { iceCandidatePoolSize: 1 },
      }),
    )
    const both = [this.#send.transport, this.#receive.transport]
    for (const each of both)
      each.on('connectionstatechange', () =>
        onState(worstOf(both.map(({ connectionState }) => connectionState))),
      )
    this.#send.transport.on('produce', ({ rtpParameters, appData }, done, failed) => {
      const announce = appData.announce as Announce
      const rtp_parameters = rtpParameters as unknown as JsonObject
      // Unused: publications have their own ids.
      announce({ rtp_parameters, ...this.#send.dtls }).then(() => done({ id: appData.id as string }), failed)
    })
  }

  async produce({ track, source, isScalable }: SentTrack, announce: Announce): Promise<Producer> {
    await this.#receiveFirst()
    const scalable = isScalable ? this.#videoCodecs.find(({ mimeType }) => mimeType === SCALABLE) : undefined
    const codec = (scalable ?? this.#videoCodecs[0])?.mimeType ?? ''
    const encoding = encodingOf(source, codec, track)
    const producer = await this.#send.transport.produce({
      track,
      ...encoding,
      ...(scalable && { codec: scalable }),
      stopTracks: false,
      disableTrackOnPause: false,
      appData: { announce, id: track.id },
    })
    return {
      supports: other => isEqual(encodingOf(source, codec, other), encoding),
      replaceTrack: other => producer.replaceTrack({ track: other }),
      setSending: isSending => setSending(producer, isSending),
      close: () => producer.close(),
    }
  }

  async consume(publicationId: string, offer: SubscribeOffer): Promise<Consumer> {
    await this.#gather()
    const consuming = this.#receive.transport.consume({
      id: offer.consumer_id,
      producerId: publicationId,
      kind: offer.kind,
      rtpParameters: offer.rtp_parameters as unknown as types.RtpParameters,
      // Browsers synchronise the tracks of one stream: lips and voice, a film and its sound. SDP allows no space in the id.
      streamId: `${offer.participant_id}-${offer.source.startsWith('screen') ? 'screen' : 'person'}`,
    })
    const consumer = await this.#consuming.add(consuming)
    return {
      track: consumer.track,
      ...this.#receive.dtls,
      lastFrameTimestamp: () => lastFrameTimestampOf(consumer.rtpReceiver),
      close: () => consumer.close(),
    }
  }

  async restartIce({ send, receive }: IceRestart): Promise<void> {
    await Promise.all([this.#send.restartIce(send), this.#receive.restartIce(receive)])
  }

  async getStats() {
    const [send, receive] = await Promise.all([
      this.#send.transport.getStats(),
      this.#receive.transport.getStats(),
    ])
    return { send, receive }
  }

  close(): void {
    this.#send.transport.close()
    this.#receive.transport.close()
  }

  /** Browsers negotiate on one thread: the others are visible sooner when the own tracks come second. */
  async #receiveFirst(): Promise<void> {
    await this.#gather()
    await Promise.race([this.#consuming.settled(), sleep(RECEIVES_FIRST_MS)])
  }

  #gather(): Promise<void> {
    this.#gathering ??= sleep(GATHER_MS).then(() => {
      this.#gathering = null
    })
    return this.#gathering
  }
}

/** A mediasoup-client transport, and the DTLS parameters that the first message must carry. */
class Transport {
  readonly transport: types.Transport
  dtls: { dtls_parameters?: JsonObject } = {}

  constructor(transport: types.Transport) {
    this.transport = transport
    transport.on('connect', ({ dtlsParameters }, done) => {
      this.dtls = { dtls_parameters: dtlsParameters as unknown as JsonObject }
      done()
    })
  }

  restartIce({ ice_parameters }: { ice_parameters: JsonObject }): Promise<void> {
    return this.transport.restartIce({ iceParameters: ice_parameters as unknown as types.IceParameters })
  }
}

/** Encodings that are not active send nothing and need no negotiation. */
async function setSending({ kind, rtpSender }: types.Producer, isSending: boolean): Promise<void> {
  if (kind !== 'video' || !rtpSender) return
  const parameters = rtpSender.getParameters()
  for (const encoding of parameters.encodings) encoding.active = isSending
  await rtpSender.setParameters(parameters)
}

/** Time of the last frame that reached the track, which is after decoding. */
const lastFrameTimestampOf = (receiver: RTCRtpReceiver | undefined): number =>
  Math.max(0, ...(receiver?.getSynchronizationSources() ?? []).map(({ timestamp }) => timestamp))

const optionsOf = (
  { id, ice_parameters, ice_candidates, dtls_parameters }: MediaTransport,
  iceServers: RTCIceServer[],
): types.TransportOptions =>
  ({
    id,
    iceParameters: ice_parameters,
    iceCandidates: ice_candidates,
    dtlsParameters: dtls_parameters,
    iceServers,
  }) as unknown as types.TransportOptions

const isEqual = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

const STATES_WORST_FIRST = ['failed', 'disconnected', 'connecting', 'connected'] as const

/** A transport without a track does not connect, and does not count. */
const worstOf = (states: readonly types.ConnectionState[]): TransportState =>
  STATES_WORST_FIRST.find(state => states.includes(state)) ?? 'new'
