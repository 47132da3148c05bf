import { randomUUID } from 'node:crypto'
import type { RtpCapabilities } from 'mediasoup/types'
import { Leg } from './leg.ts'
import type { EndpointDescription, EndpointOptions, IceRestart } from './ports.ts'
import { MediaRefusal } from './refusals.ts'
import type { Route } from './route.ts'
import type { Subscription } from './subscription.ts'

/** What a participant sends and receives through, on one route. */
export class Endpoint {
  readonly id = `ep-${randomUUID()}`
  readonly route: Route
  readonly send: Leg
  readonly receive: Leg
  /** What this end is offered, by publication. */
  readonly subscriptions = new Map<string, Subscription>()
  /** What this end can decode; null until it says so. */
  rtpCapabilities: RtpCapabilities | null = null

  private constructor(route: Route, send: Leg, receive: Leg) {
    this.route = route
    this.send = send
    this.receive = receive
  }

  static async open(route: Route, { tcpOnly = false }: EndpointOptions): Promise<Endpoint> {
    try {
      const legs = await Promise.all([Leg.open(route, tcpOnly), Leg.open(route, tcpOnly)])
      await legs[0].limitIncoming(route.node.maxIncomingBitrate)
      return new Endpoint(route, ...legs)
    } catch (error) {
      // What the router has opened already goes with it.
      throw route.router.closed ? new MediaRefusal('gone', { cause: error }) : error
    }
  }

  /** Also when the worker died. */
  get closed(): boolean {
    return this.send.transport.closed || this.route.router.closed
  }

  describe(): EndpointDescription {
    return {
      endpointId: this.id,
      nodeId: this.route.node.id,
      routeGeneration: this.route.generation,
      routerRtpCapabilities: { ...this.route.router.rtpCapabilities },
      send: this.send.describe(),
      receive: this.receive.describe(),
    }
  }

  async restartIce(): Promise<IceRestart> {
    const [send, receive] = await Promise.all([this.send.restartIce(), this.receive.restartIce()])
    return { send, receive }
  }

  close(): void {
    this.send.transport.close()
    this.receive.transport.close()
  }
}
