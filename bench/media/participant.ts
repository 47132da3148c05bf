import { ReceiveConnection, SendConnection } from './connection.ts'
import { CODECS, type Kind } from './rtp.ts'
import { describeTransport, dtlsParametersOf, type Stream, type Transport } from './sdp.ts'

/** A participant on any server: publishes a microphone and a camera, and receives those of the others. */
export interface Participant {
  readonly sending: SendConnection
  readonly receiving: ReceiveConnection
  /** Resolves when the server has both tracks. */
  publish(): Promise<void>
  /**
   * MUST be called after all others have published. Resolves when their media can be received. Who has not published only
   * watches.
   */
  subscribe(others: number): Promise<void>
  close(): void
}

/** The signalling of a server that is based on mediasoup. */
export interface Signalling {
  open(): Promise<{ capabilities: RtpCapabilities; send: Transport; receive: Transport }>
  publish(kind: Kind, rtpParameters: object, dtlsParameters: object): Promise<void>
  /** Resolves when the given number of tracks has been offered. */
  receive(capabilities: RtpCapabilities, tracks: number): Promise<Offered[]>
  /** Accepts all offered tracks. */
  answer(dtlsParameters: object): Promise<void>
  close(): void
}

export interface RtpCapabilities {
  codecs: { rtcpFeedback?: { type: string; parameter?: string }[] }[]
  headerExtensions: unknown[]
}

export interface Offered {
  kind: Kind
  rtpParameters: { codecs: { payloadType: number }[]; encodings: { ssrc: number }[] }
}

export class MediasoupParticipant implements Participant {
  readonly sending = new SendConnection()
  readonly receiving = new ReceiveConnection()
  readonly #signalling: Signalling
  #opened: Awaited<ReturnType<Signalling['open']>> | null = null

  constructor(signalling: Signalling) {
    this.#signalling = signalling
  }

  async publish(): Promise<void> {
    this.#opened = await this.#signalling.open()
    const dtls = dtlsParametersOf(await this.sending.offer())
    for (const kind of ['audio', 'video'] as const)
      await this.#signalling.publish(kind, this.#rtpParameters(kind), dtls)
    const streams = (['audio', 'video'] as const).map(
      (kind): Stream => ({ kind, payloadType: CODECS[kind].payloadType }),
    )
    this.sending.answered(describeTransport(this.#opened.send, streams, 'answer'))
    await this.sending.connected
  }

  async subscribe(others: number): Promise<void> {
    this.#opened ??= await this.#signalling.open()
    const { capabilities, receive } = this.#opened
    const offered = await this.#signalling.receive(withoutCongestionControl(capabilities), others * 2)
    const streams = offered.map(({ kind, rtpParameters: { codecs, encodings } }) => ({
      kind,
      payloadType: codecs[0]?.payloadType ?? 0,
      ssrc: encodings[0]?.ssrc ?? 0,
    }))
    const answer = await this.receiving.answer(describeTransport(receive, streams, 'offer'))
    await this.#signalling.answer(dtlsParametersOf(answer))
    await this.receiving.connected
  }

  close(): void {
    this.sending.close()
    this.receiving.close()
    this.#signalling.close()
  }

  #rtpParameters(kind: Kind): object {
    const { payloadType, name, clockRate, channels } = CODECS[kind]
    const level = { uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level', id: 1 }
    return {
      codecs: [{ mimeType: `${kind}/${name}`, payloadType, clockRate, ...(channels && { channels }) }],
      headerExtensions: kind === 'audio' ? [level] : [],
      encodings: [{ ssrc: this.sending.streams[kind].ssrc }],
      rtcp: { cname: 'bench' },
    }
  }
}

/** The generator sends no congestion feedback, so servers MUST NOT expect it. */
function withoutCongestionControl({ codecs, headerExtensions }: RtpCapabilities): RtpCapabilities {
  const isEstimate = ({ type }: { type: string }) => type === 'transport-cc' || type === 'goog-remb'
  return {
    codecs: codecs.map(codec => ({
      ...codec,
      rtcpFeedback: codec.rtcpFeedback?.filter(feedback => !isEstimate(feedback)) ?? [],
    })),
    headerExtensions: headerExtensions.filter(
      extension => !/wide-cc|abs-send/.test(JSON.stringify(extension)),
    ),
  }
}
