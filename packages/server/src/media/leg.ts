import type { WebRtcTransport } from 'mediasoup/types'
import { readDtlsParameters } from './ortc.ts'
import type { IceRestart, TransportDescription } from './ports.ts'
import { refusing } from './refusals.ts'
import type { Route } from './route.ts'

/** Better than mediasoup's 600 kbit/s: a picture is sharp sooner, and a slow network is noticed soon enough. */
const FIRST_BITRATE = 1_000_000

/** One direction of an endpoint: a WebRTC transport that is connected once. */
export class Leg {
  readonly transport: WebRtcTransport
  #connecting: Promise<void> | null = null

  private constructor(transport: WebRtcTransport) {
    this.transport = transport
  }

  static async open({ node, router }: Route, tcpOnly: boolean): Promise<Leg> {
    const transport = await router.createWebRtcTransport({
      webRtcServer: node.server,
      enableUdp: !tcpOnly,
      enableTcp: true,
      preferUdp: true,
      initialAvailableOutgoingBitrate: FIRST_BITRATE,
    })
    return new Leg(transport)
  }

  /** Asks the sender (REMB) for no more. Whoever does not follow is not stopped by that. */
  async limitIncoming(bitsPerSecond: number): Promise<void> {
    if (bitsPerSecond > 0) await this.transport.setMaxIncomingBitrate(bitsPerSecond)
  }

  describe(): TransportDescription {
    const { id, iceParameters, iceCandidates, dtlsParameters } = this.transport
    return {
      id,
      iceParameters: { ...iceParameters },
      iceCandidates: iceCandidates.map(candidate => ({ ...candidate })),
      dtlsParameters: { ...dtlsParameters },
    }
  }

  /** The other side's part comes with its first offer or answer; whoever repeats it changes nothing. */
  async connect(raw: object | undefined): Promise<void> {
    if (raw && !this.#connecting) {
      const dtlsParameters = readDtlsParameters(raw)
      this.#connecting = refusing(this.transport, () => this.transport.connect({ dtlsParameters }))
    }
    await this.#connecting
  }

  async restartIce(): Promise<IceRestart['send']> {
    return { iceParameters: { ...(await refusing(this.transport, () => this.transport.restartIce())) } }
  }
}
