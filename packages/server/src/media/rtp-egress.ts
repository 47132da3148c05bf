import { randomUUID } from 'node:crypto'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { MediaKind, PlainTransport, RtpCapabilities } from 'mediasoup/types'
import { openIn } from './open-in.ts'
import type { EgressDescription, EgressOptions } from './ports.ts'
import { assertMedia, MediaRefusal, translateErrors } from './refusals.ts'
import type { RoomRouter } from './room-router.ts'
import type { Subscription } from './subscription.ts'

/** Sends plain RTP to one address, for an observer. */
export class RtpEgress {
  readonly id = `ep-${randomUUID()}`
  readonly roomRouter: RoomRouter
  readonly routeGeneration: string
  readonly subscriptions = new Map<string, Subscription>()
  readonly rtpCapabilities: RtpCapabilities
  readonly receive: { transport: PlainTransport; connect(dtls?: object): Promise<void> }
  readonly #options: EgressOptions

  private constructor(
    roomRouter: RoomRouter,
    routeGeneration: string,
    transport: PlainTransport,
    options: EgressOptions,
  ) {
    this.roomRouter = roomRouter
    this.routeGeneration = routeGeneration
    this.#options = options
    this.rtpCapabilities = withoutRtcpFeedback(roomRouter.router.rtpCapabilities, options.kinds)
    this.receive = { transport, connect: async () => {} }
  }

  /** The egress gets the route generation of the moment at which it is open. */
  static async open(
    roomRouter: RoomRouter,
    routeGeneration: () => string,
    options: EgressOptions,
  ): Promise<RtpEgress> {
    const { ip, port, srtp } = options
    const localIp = localIpFor(ip, roomRouter)
    assertMedia(srtp || isLoopback(ip), 'srtp_required')
    const { router } = roomRouter
    const transport = await translateErrors(router, () =>
      openIn(
        router,
        router.createPlainTransport({
          listenInfo: { protocol: 'udp', ip: localIp },
          rtcpMux: true,
          comedia: false,
          ...(srtp && { enableSrtp: true, srtpCryptoSuite: srtp.cryptoSuite }),
        }),
      ),
    )
    const srtpParameters = srtp && { cryptoSuite: srtp.cryptoSuite, keyBase64: srtp.keyBase64 }
    try {
      await translateErrors(transport, () =>
        transport.connect({ ip, port, ...(srtpParameters && { srtpParameters }) }),
      )
    } catch (error) {
      transport.close()
      throw error
    }
    return new RtpEgress(roomRouter, routeGeneration(), transport, options)
  }

  /** True after the worker has died, too. */
  get closed(): boolean {
    return this.receive.transport.closed || this.roomRouter.router.closed
  }

  matches(options: EgressOptions): boolean {
    return !this.closed && fingerprint(options) === fingerprint(this.#options)
  }

  describe(): EgressDescription {
    const srtp = this.receive.transport.srtpParameters
    return {
      endpointId: this.id,
      workerId: this.roomRouter.node.id,
      routeGeneration: this.routeGeneration,
      // The key is the server's own; the suite is the one requested.
      ...(this.#options.srtp && srtp && { srtp: { ...this.#options.srtp, keyBase64: srtp.keyBase64 } }),
    }
  }

  close(): void {
    this.receive.transport.close()
  }
}

const fingerprint = ({ kinds, ip, port, srtp }: EgressOptions) =>
  JSON.stringify([[...kinds].sort(), ip, port, srtp?.cryptoSuite, srtp?.keyBase64])

/** A recorder needs media as it was sent: without retransmissions and bandwidth adaptation. */
function withoutRtcpFeedback({ codecs = [] }: RtpCapabilities, kinds: MediaKind[]): RtpCapabilities {
  const wanted = codecs.filter(({ kind, mimeType }) => kinds.includes(kind) && !mimeType.endsWith('/rtx'))
  return { codecs: wanted.map(codec => ({ ...codec, rtcpFeedback: [] })), headerExtensions: [] }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Addresses of no single host. */
const unroutable = new BlockList()
unroutable.addSubnet('0.0.0.0', 8)
unroutable.addSubnet('224.0.0.0', 3)
unroutable.addAddress('::', 'ipv6')
unroutable.addSubnet('ff00::', 8, 'ipv6')

const familyOf = (ip: string) => (isIPv4(ip) ? 'ipv4' : 'ipv6')
const isLoopback = (ip: string) => loopback.check(ip, familyOf(ip))

/** The address to send from, of the same family. */
function localIpFor(ip: string, { node }: RoomRouter): string {
  assertMedia((isIPv4(ip) || isIPv6(ip)) && !unroutable.check(ip, familyOf(ip)), 'malformed')
  if (isLoopback(ip)) return isIPv4(ip) ? '127.0.0.1' : '::1'
  if (familyOf(node.listenIp) !== familyOf(ip)) throw new MediaRefusal('unsupported')
  return node.listenIp
}
