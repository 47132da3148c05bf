import { randomUUID } from 'node:crypto'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { MediaKind, PlainTransport, RtpCapabilities } from 'mediasoup/types'
import type { EgressDescription, EgressOptions } from './ports.ts'
import { demand, MediaRefusal, refusing } from './refusals.ts'
import type { Route } from './route.ts'
import type { Subscription } from './subscription.ts'

/** What an observer receives through, on one route: plain RTP to one address. */
export class Tap {
  readonly id = `ep-${randomUUID()}`
  readonly route: Route
  readonly subscriptions = new Map<string, Subscription>()
  readonly rtpCapabilities: RtpCapabilities
  readonly receive: { transport: PlainTransport; connect(dtls?: object): Promise<void> }
  readonly #options: EgressOptions

  private constructor(route: Route, transport: PlainTransport, options: EgressOptions) {
    this.route = route
    this.#options = options
    this.rtpCapabilities = withoutFeedback(route.router.rtpCapabilities, options.kinds)
    this.receive = { transport, connect: async () => {} }
  }

  static async open(route: Route, options: EgressOptions): Promise<Tap> {
    const { ip, port, srtp } = options
    const ownIp = ownIpFor(ip, route)
    demand(srtp || isLoopback(ip), 'srtp_required')
    const { router } = route
    const transport = await refusing(router, () =>
      router.createPlainTransport({
        listenInfo: { protocol: 'udp', ip: ownIp },
        rtcpMux: true,
        comedia: false,
        ...(srtp && { enableSrtp: true, srtpCryptoSuite: srtp.cryptoSuite }),
      }),
    )
    const srtpParameters = srtp && { cryptoSuite: srtp.cryptoSuite, keyBase64: srtp.keyBase64 }
    try {
      await refusing(transport, () =>
        transport.connect({ ip, port, ...(srtpParameters && { srtpParameters }) }),
      )
    } catch (error) {
      transport.close()
      throw error
    }
    return new Tap(route, transport, options)
  }

  /** Also when the worker died. */
  get closed(): boolean {
    return this.receive.transport.closed || this.route.router.closed
  }

  /** Whether it does what is asked for. */
  isAsAsked(options: EgressOptions): boolean {
    return !this.closed && fingerprint(options) === fingerprint(this.#options)
  }

  describe(): EgressDescription {
    const srtp = this.receive.transport.srtpParameters
    return {
      endpointId: this.id,
      nodeId: this.route.node.id,
      routeGeneration: this.route.generation,
      // As many as are asked for, so the suite is one of ours.
      ...(this.#options.srtp && srtp && { srtp: { ...this.#options.srtp, keyBase64: srtp.keyBase64 } }),
    }
  }

  close(): void {
    this.receive.transport.close()
  }
}

const fingerprint = ({ kinds, ip, port, srtp }: EgressOptions) =>
  JSON.stringify([[...kinds].sort(), ip, port, srtp?.cryptoSuite, srtp?.keyBase64])

/** Whoever writes down what comes wants it as it was sent: nothing to repeat, nothing to adapt. */
function withoutFeedback({ codecs = [] }: RtpCapabilities, kinds: MediaKind[]): RtpCapabilities {
  const wanted = codecs.filter(({ kind, mimeType }) => kinds.includes(kind) && !mimeType.endsWith('/rtx'))
  return { codecs: wanted.map(codec => ({ ...codec, rtcpFeedback: [] })), headerExtensions: [] }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Where nobody in particular would hear it. */
const nobody = new BlockList()
nobody.addSubnet('0.0.0.0', 8)
nobody.addSubnet('224.0.0.0', 3)
nobody.addAddress('::', 'ipv6')
nobody.addSubnet('ff00::', 8, 'ipv6')

const familyOf = (ip: string) => (isIPv4(ip) ? 'ipv4' : 'ipv6')
const isLoopback = (ip: string) => loopback.check(ip, familyOf(ip))

/** The address to send from: of the same family. */
function ownIpFor(ip: string, { node }: Route): string {
  demand((isIPv4(ip) || isIPv6(ip)) && !nobody.check(ip, familyOf(ip)), 'malformed')
  if (isLoopback(ip)) return isIPv4(ip) ? '127.0.0.1' : '::1'
  if (familyOf(node.listenIp) !== familyOf(ip)) throw new MediaRefusal('unsupported')
  return node.listenIp
}
