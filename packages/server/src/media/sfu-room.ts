import { withTimeout } from '@lectern/common'
import type { Logger } from 'pino'
import { Endpoint } from './endpoint.ts'
import { readRtpCapabilities } from './ortc.ts'
import type {
  EgressDescription,
  EgressOptions,
  EndpointDescription,
  EndpointOptions,
  RoomDescription,
  RoomOpening,
  RouteDescription,
  SfuEvents,
} from './ports.ts'
import { awaitPublication, publicationsOf, unpublish } from './publishing.ts'
import { assertMedia, MediaRefusal } from './refusals.ts'
import { createRoomRouter, type RoomRouter } from './room-router.ts'
import { endpointOf, type Member, type RoomState } from './room-state.ts'
import { RouteGenerations } from './route-generations.ts'
import { RtpEgress } from './rtp-egress.ts'
import type { SpeakerEvents } from './speaker-detector.ts'
import { offerAllTo } from './subscribing.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface SfuRoomParts {
  workers: WorkerPool
  events: SfuEvents
  log: Logger
  republishTimeoutMs: number
}

const ROUTER_TIMEOUT_MS = 5_000

/** The media of one session. It uses a worker only once somebody opens an endpoint. */
export class SfuRoom {
  readonly state: RoomState
  readonly #parts: SfuRoomParts
  #opening: Promise<RoomRouter> | null = null
  #currentRoute: RouteDescription | null = null
  readonly #generations = new RouteGenerations()
  #closed = false

  constructor(sessionId: number, parts: SfuRoomParts) {
    const { events, log, republishTimeoutMs } = parts
    this.#parts = parts
    this.state = { sessionId, members: new Map(), publications: new Map(), events, log, republishTimeoutMs }
  }

  /** Repeated, it raises the generations and adds what is awaited. */
  open({ incarnation, generationAfter, awaited = [] }: Omit<RoomOpening, 'sessionId'>): void {
    this.#generations.raise(incarnation, generationAfter)
    for (const publication of awaited) awaitPublication(this.state, publication)
  }

  async openRoute(): Promise<RouteDescription> {
    const { node, generation } = await this.#router()
    return { nodeId: node.id, routeGeneration: generation }
  }

  async openEndpoint(participantId: string, options: EndpointOptions): Promise<EndpointDescription> {
    const member = this.#getOrAddMember(participantId)
    return (await this.#replaceEndpoint(member, roomRouter => Endpoint.open(roomRouter, options))).describe()
  }

  /** With the same options, it keeps the present egress and repeats unanswered offers. */
  async openEgress(participantId: string, options: EgressOptions): Promise<EgressDescription> {
    const member = this.#getOrAddMember(participantId)
    const known =
      member.endpoint instanceof RtpEgress && member.endpoint.matches(options) ? member.endpoint : null
    const egress =
      known ?? (await this.#replaceEndpoint(member, roomRouter => RtpEgress.open(roomRouter, options)))
    offerAllTo(this.state, member)
    return egress.describe()
  }

  setRtpCapabilities(member: Member, endpointId: string, rtpCapabilities: object): void {
    endpointOf(member, endpointId).rtpCapabilities = readRtpCapabilities(rtpCapabilities)
    offerAllTo(this.state, member)
  }

  /** The media worker; null until somebody opened an endpoint. */
  get nodeId(): string | null {
    return this.#currentRoute?.nodeId ?? null
  }

  member(participantId: string): Member {
    const member = this.state.members.get(participantId)
    assertMedia(member, 'gone')
    return member
  }

  removeParticipant(participantId: string): void {
    for (const published of publicationsOf(this.state, participantId)) unpublish(this.state, published)
    const member = this.state.members.get(participantId)
    if (!member) return
    member.attempt = null
    member.endpoint?.close()
    this.state.members.delete(participantId)
  }

  describe(): RoomDescription {
    const { members, publications } = this.state
    return {
      route: this.#currentRoute,
      members: [...members.values()].map(({ id, endpoint, quality }) => ({
        participantId: id,
        endpointId: endpoint?.closed === false ? endpoint.id : null,
        quality,
      })),
      publications: [...publications.values()]
        .filter(({ isAnnounced }) => isAnnounced)
        .map(({ publication }) => ({ ...publication })),
    }
  }

  /** Emits no event for the publications: the session ends, which clients learn elsewhere. */
  close(): void {
    this.#closed = true
    for (const { publication, state } of this.state.publications.values()) {
      if (state.is === 'awaited') clearTimeout(state.until)
      this.state.publications.delete(publication.publicationId)
    }
    for (const member of this.state.members.values()) member.attempt = null
    this.state.members.clear()
    this.#opening?.then(({ router }) => router.close()).catch(() => {}) // a failed router holds nothing
  }

  #getOrAddMember(id: string): Member {
    const known = this.state.members.get(id)
    if (known) return known
    const member: Member = { id, endpoint: null, attempt: null, displaySizes: new Map(), quality: null }
    this.state.members.set(id, member)
    return member
  }

  async #replaceEndpoint<E extends Endpoint | RtpEgress>(
    member: Member,
    open: (roomRouter: RoomRouter) => Promise<E>,
  ): Promise<E> {
    const attempt = Symbol(member.id)
    member.attempt = attempt
    member.endpoint?.close()
    member.endpoint = null
    const roomRouter = await this.#router()
    const endpoint = await open(roomRouter)
    if (member.attempt !== attempt || endpoint.closed) {
      endpoint.close()
      // Not `gone`, which invites a retry: that would replace the endpoint which has replaced this one.
      throw new MediaRefusal(member.attempt && member.attempt !== attempt ? 'superseded' : 'gone')
    }
    member.endpoint = endpoint
    return endpoint
  }

  #router(): Promise<RoomRouter> {
    return withTimeout(this.#openRouter(), ROUTER_TIMEOUT_MS, () => new MediaRefusal('no_worker'))
  }

  #openRouter(): Promise<RoomRouter> {
    this.#opening ??= this.#createRouter().catch(error => {
      this.#opening = null
      throw error
    })
    return this.#opening
  }

  async #createRouter(): Promise<RoomRouter> {
    const { workers, log } = this.#parts
    const generation = this.#generations.next()
    for (;;) {
      const node = await workers.pick()
      try {
        const roomRouter = await createRoomRouter(node, generation, this.#speakerEvents())
        this.#currentRoute = { nodeId: node.id, routeGeneration: roomRouter.generation }
        roomRouter.router.once('workerclose', () => void this.#handleWorkerDeath())
        return roomRouter
      } catch (error) {
        // A worker may die while it creates the router; then another one is tried.
        if (!node.worker.closed) throw error
        log.debug({ err: error, rtcNodeId: node.id }, 'media worker died while it created a router')
      }
    }
  }

  /** A closed room emits no speaker events, though its microphones still close. */
  #speakerEvents(): SpeakerEvents {
    const { sessionId, events } = this.state
    return {
      activeSpeaker: participantId => this.#closed || events.activeSpeaker(sessionId, participantId),
      audioLevels: levels => this.#closed || events.audioLevels(sessionId, levels),
    }
  }

  /** All endpoints died with the worker. Participants who had one are directed to the new router. */
  async #handleWorkerDeath(): Promise<void> {
    const { events, log } = this.#parts
    const members = [...this.state.members.values()]
    const hadEndpoints = members.some(({ endpoint }) => endpoint !== null)
    for (const member of members) member.endpoint = null
    this.#opening = null
    if (this.#closed || !hadEndpoints) return
    try {
      await this.#openRouter()
      if (!this.#closed && this.#currentRoute) events.moved(this.state.sessionId, this.#currentRoute)
    } catch (error) {
      log.warn({ err: error, sessionId: this.state.sessionId }, 'room could not move to another media worker')
    }
  }
}
