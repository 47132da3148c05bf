import { randomUUID } from 'node:crypto'
import type { RtpCapabilities } from 'mediasoup/types'
import { EndpointTransport } from './endpoint-transport.ts'
import type { EndpointDescription, EndpointOptions, IceRestart } from './ports.ts'
import { MediaRefusal } from './refusals.ts'
import type { RoomRouter } from './room-router.ts'
import type { Subscription } from './subscription.ts'
import type { TrackSource } from './track-source.ts'

/** The two transports of a participant on one router. */
export class Endpoint {
  readonly id = `ep-${randomUUID()}`
  readonly roomRouter: RoomRouter
  readonly routeGeneration: string
  readonly send: EndpointTransport
  readonly receive: EndpointTransport
  readonly avoidsSpatialLayers: boolean
  /** By publication. */
  readonly subscriptions = new Map<string, Subscription>()
  /** Tracks that are not received because the client cannot decode them, by publication. */
  readonly undecodable = new Map<string, TrackSource>()
  /** The codecs of the client; null until it reports them. */
  rtpCapabilities: RtpCapabilities | null = null

  private constructor(
    roomRouter: RoomRouter,
    routeGeneration: string,
    send: EndpointTransport,
    receive: EndpointTransport,
    avoidsSpatialLayers: boolean,
  ) {
    this.roomRouter = roomRouter
    this.routeGeneration = routeGeneration
    this.send = send
    this.receive = receive
    this.avoidsSpatialLayers = avoidsSpatialLayers
  }

  /** The endpoint gets the route generation of the moment at which it is open. */
  static async open(
    roomRouter: RoomRouter,
    routeGeneration: () => string,
    { tcpOnly = false, avoidsSpatialLayers = false }: EndpointOptions,
  ): Promise<Endpoint> {
    try {
      const transports = await Promise.all([
        EndpointTransport.open(roomRouter, tcpOnly),
        EndpointTransport.open(roomRouter, tcpOnly),
      ])
      await transports[0].limitIncoming(roomRouter.node.maxIncomingBitrate)
      return new Endpoint(roomRouter, routeGeneration(), ...transports, avoidsSpatialLayers)
    } catch (error) {
      // A closed router has closed what it opened.
      throw roomRouter.router.closed ? new MediaRefusal('gone', { cause: error }) : error
    }
  }

  /** True after the worker has died, too. */
  get closed(): boolean {
    return this.send.transport.closed || this.roomRouter.router.closed
  }

  /** Null before the client has connected a transport; false when one is lost. */
  get isReachable(): boolean | null {
    const states = [this.send.connectivity, this.receive.connectivity]
    if (states.includes('lost')) return false
    return states.includes('connected') ? true : null
  }

  /** Called whenever `isReachable` may have changed. */
  onConnectivity(listener: () => void): void {
    this.send.onConnectivity(listener)
    this.receive.onConnectivity(listener)
  }

  describe(): EndpointDescription {
    return {
      endpointId: this.id,
      workerId: this.roomRouter.node.id,
      routeGeneration: this.routeGeneration,
      routerRtpCapabilities: { ...withUprightVideo(this.roomRouter.router.rtpCapabilities) },
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

const ORIENTATION = 'urn:3gpp:video-orientation'

/**
 * A browser that may say how a frame is to be turned leaves the turning of the camera of a phone to its receivers. Without
 * that extension it turns frames itself, also for receivers that do not read it (decision 207).
 */
const withUprightVideo = ({ headerExtensions = [], ...capabilities }: RtpCapabilities): RtpCapabilities => ({
  ...capabilities,
  headerExtensions: headerExtensions.filter(({ uri }) => uri !== ORIENTATION),
})
