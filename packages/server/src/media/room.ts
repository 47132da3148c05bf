import { withTimeout } from '@lectern/common'
import type { Logger } from 'pino'
import { Endpoint } from './endpoint.ts'
import { readRtpCapabilities } from './ortc.ts'
import type {
  EgressDescription,
  EgressOptions,
  EndpointDescription,
  EndpointOptions,
  RouteDescription,
  SfuEvents,
} from './ports.ts'
import { publicationsOf, unpublish } from './publishing.ts'
import { demand, MediaRefusal } from './refusals.ts'
import { endpointOf, type Member, type RoomState } from './room-state.ts'
import { openRoute, type Route } from './route.ts'
import type { SpeakerEvents } from './speakers.ts'
import { offerAll } from './subscribing.ts'
import { Tap } from './tap.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface RoomParts {
  workers: WorkerPool
  events: SfuEvents
  log: Logger
  clock: () => number
  republishWithinMs: number
}

const ROUTE_WITHIN_MS = 5_000

/** The media of one session. It takes a worker only when somebody opens an endpoint. */
export class Room {
  readonly state: RoomState
  readonly #parts: RoomParts
  #route: Promise<Route> | null = null
  #serving: RouteDescription | null = null
  #generation = 0
  #closed = false

  constructor(sessionId: number, parts: RoomParts) {
    const { events, log, republishWithinMs } = parts
    this.#parts = parts
    this.state = { sessionId, members: new Map(), publications: new Map(), events, log, republishWithinMs }
  }

  async openEndpoint(participantId: string, options: EndpointOptions): Promise<EndpointDescription> {
    const member = this.#seat(participantId)
    return (await this.#equip(member, route => Endpoint.open(route, options))).describe()
  }

  /** The same again leaves everything as it is, and repeats the offers that are not answered. */
  async openEgress(participantId: string, options: EgressOptions): Promise<EgressDescription> {
    const member = this.#seat(participantId)
    const known =
      member.endpoint instanceof Tap && member.endpoint.isAsAsked(options) ? member.endpoint : null
    const tap = known ?? (await this.#equip(member, route => Tap.open(route, options)))
    offerAll(this.state, member)
    return tap.describe()
  }

  setRtpCapabilities(member: Member, endpointId: string, rtpCapabilities: object): void {
    endpointOf(member, endpointId).rtpCapabilities = readRtpCapabilities(rtpCapabilities)
    offerAll(this.state, member)
  }

  member(participantId: string): Member {
    const member = this.state.members.get(participantId)
    demand(member, 'gone')
    return member
  }

  leave(participantId: string): void {
    const member = this.state.members.get(participantId)
    if (!member) return
    for (const published of publicationsOf(this.state, participantId)) unpublish(this.state, published)
    member.attempt = null
    member.endpoint?.close()
    this.state.members.delete(participantId)
  }

  /** Whoever closes a session tells its end: nobody needs to hear of each publication. */
  close(): void {
    this.#closed = true
    for (const { view, state } of this.state.publications.values()) {
      if (state.is === 'awaited') clearTimeout(state.until)
      this.state.publications.delete(view.publicationId)
    }
    for (const member of this.state.members.values()) member.attempt = null
    this.state.members.clear()
    this.#route?.then(({ router }) => router.close()).catch(() => {}) // a route that failed holds nothing
  }

  #seat(id: string): Member {
    const known = this.state.members.get(id)
    if (known) return known
    const member: Member = { id, endpoint: null, attempt: null, shown: new Map(), quality: null }
    this.state.members.set(id, member)
    return member
  }

  /** Gives the member an endpoint in place of the former one. */
  async #equip<E extends Endpoint | Tap>(member: Member, open: (route: Route) => Promise<E>): Promise<E> {
    const attempt = Symbol(member.id)
    member.attempt = attempt
    member.endpoint?.close()
    member.endpoint = null
    const route = await withTimeout(this.#routed(), ROUTE_WITHIN_MS, () => new MediaRefusal('no_worker'))
    const endpoint = await open(route)
    if (member.attempt !== attempt || endpoint.closed) {
      endpoint.close()
      // Not `gone`, which asks for another try: that would replace the endpoint which has replaced this one.
      throw new MediaRefusal(member.attempt && member.attempt !== attempt ? 'superseded' : 'gone')
    }
    member.endpoint = endpoint
    return endpoint
  }

  #routed(): Promise<Route> {
    this.#route ??= this.#place().catch(error => {
      this.#route = null
      throw error
    })
    return this.#route
  }

  async #place(): Promise<Route> {
    const { workers, clock, log } = this.#parts
    // Milliseconds, so that it also grows from one life of the server to the next.
    this.#generation = this.#generation === 0 ? clock() : this.#generation + 1
    for (;;) {
      const node = await workers.pick()
      try {
        const route = await openRoute(node, String(this.#generation), this.#speakerEvents())
        this.#serving = { nodeId: node.id, routeGeneration: route.generation }
        route.router.once('workerclose', () => void this.#move())
        return route
      } catch (error) {
        // A worker may die while it makes the router; another one is asked then.
        if (!node.worker.closed) throw error
        log.debug({ err: error, rtcNodeId: node.id }, 'worker died under a new route')
      }
    }
  }

  /** A session that is over has no speakers, though microphones still close. */
  #speakerEvents(): SpeakerEvents {
    const { sessionId, events } = this.state
    return {
      activeSpeaker: participantId => this.#closed || events.activeSpeaker(sessionId, participantId),
      audioLevels: levels => this.#closed || events.audioLevels(sessionId, levels),
    }
  }

  /** The worker is gone, and all endpoints with it. Those who had one are told where to go. */
  async #move(): Promise<void> {
    const { events, log } = this.#parts
    const members = [...this.state.members.values()]
    const isMissed = members.some(({ endpoint }) => endpoint !== null)
    for (const member of members) member.endpoint = null
    this.#route = null
    if (this.#closed || !isMissed) return
    try {
      await this.#routed()
      if (!this.#closed && this.#serving) events.moved(this.state.sessionId, this.#serving)
    } catch (error) {
      log.warn({ err: error, sessionId: this.state.sessionId }, 'room found no other media worker')
    }
  }
}
