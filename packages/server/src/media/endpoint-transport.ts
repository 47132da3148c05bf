import type { WebRtcTransport } from 'mediasoup/types'
import type { AnnouncedName } from './announced-name.ts'
import { openIn } from './open-in.ts'
import { readDtlsParameters } from './ortc.ts'
import type { IceRestart, TransportDescription } from './ports.ts'
import { translateErrors } from './refusals.ts'
import type { RoomRouter } from './room-router.ts'

/** Above mediasoup's 600 kbit/s: video becomes sharp sooner, and congestion control still detects slow networks. */
const INITIAL_BITRATE_BPS = 1_000_000

/** One direction of an endpoint: a WebRTC transport that connects once. */
export class EndpointTransport {
  readonly transport: WebRtcTransport
  readonly #announcedName: AnnouncedName
  #connected: Promise<void> | null = null

  private constructor(transport: WebRtcTransport, announcedName: AnnouncedName) {
    this.transport = transport
    this.#announcedName = announcedName
  }

  static async open({ node, router }: RoomRouter, tcpOnly: boolean): Promise<EndpointTransport> {
    const opening = router.createWebRtcTransport({
      webRtcServer: node.server,
      enableUdp: !tcpOnly,
      enableTcp: true,
      preferUdp: true,
      initialAvailableOutgoingBitrate: INITIAL_BITRATE_BPS,
    })
    return new EndpointTransport(await openIn(router, opening), node.announcedName)
  }

  /** Requests a maximum bitrate from the sender by REMB. It is not enforced. */
  async limitIncoming(bitsPerSecond: number): Promise<void> {
    if (bitsPerSecond > 0) await this.transport.setMaxIncomingBitrate(bitsPerSecond)
  }

  describe(): TransportDescription {
    const { id, iceParameters, iceCandidates, dtlsParameters } = this.transport
    return {
      id,
      iceParameters: { ...iceParameters },
      iceCandidates: this.#announcedName.resolve(iceCandidates),
      dtlsParameters: { ...dtlsParameters },
    }
  }

  /** The client's DTLS parameters come with its first offer or answer; later ones are ignored. */
  async connect(raw: object | undefined): Promise<void> {
    if (raw && !this.#connected) {
      const dtlsParameters = readDtlsParameters(raw)
      this.#connected = translateErrors(this.transport, () => this.transport.connect({ dtlsParameters }))
    }
    await this.#connected
  }

  /** `lost`: the client does not answer, or has closed it. */
  get connectivity(): 'none' | 'connected' | 'lost' {
    const { iceState, dtlsState } = this.transport
    if (iceState === 'disconnected' || dtlsState === 'closed' || dtlsState === 'failed') return 'lost'
    return dtlsState === 'connected' ? 'connected' : 'none'
  }

  onConnectivity(listener: () => void): void {
    this.transport.on('icestatechange', listener)
    this.transport.on('dtlsstatechange', listener)
  }

  async restartIce(): Promise<IceRestart['send']> {
    return {
      iceParameters: { ...(await translateErrors(this.transport, () => this.transport.restartIce())) },
    }
  }
}
