import { ReceivePeer, SendPeer } from './peer.ts'
import { CODECS, type Kind } from './rtp.ts'
import { describeTransport, dtlsParametersOf, type Stream, type Transport } from './sdp.ts'

/** Somebody in a room, on whatever server: sends a microphone and a camera, and receives those of the others. */
export interface Seat {
  readonly sending: SendPeer
  readonly receiving: ReceivePeer
  /** Resolves when the server has both tracks. */
  publish(): Promise<void>
  /** Once all others have published. Resolves when their media can come. */
  subscribe(others: number): Promise<void>
  close(): void
}

/** How a server with mediasoup inside is talked to. */
export interface Signalling {
  open(): Promise<{ capabilities: RtpCapabilities; send: Transport; receive: Transport }>
  publish(kind: Kind, rtpParameters: object, dtlsParameters: object): Promise<void>
  /** Resolves when so many tracks of others have been offered. */
  receive(capabilities: RtpCapabilities, tracks: number): Promise<Offered[]>
  /** To all that was offered. */
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

export class MediasoupSeat implements Seat {
  readonly sending = new SendPeer()
  readonly receiving = new ReceivePeer()
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
    if (!this.#opened) throw new Error('publish first')
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

/** The generator gives no feedback that a bitrate could be estimated from: nobody should wait for it. */
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
