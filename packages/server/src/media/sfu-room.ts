import { withTimeout } from '@lectern/common'
import type { PayloadTypes } from '@lectern/protocol/control'
import type { Logger } from 'pino'
import { Endpoint } from './endpoint.ts'
import { readRtpCapabilities } from './ortc.ts'
import type { NodeConnections } from './pipes/ports.ts'
import type {
  EgressDescription,
  EgressOptions,
  EndpointDescription,
  EndpointOptions,
  MovedRoute,
  RoomDescription,
  RoomOpening,
  RouteDescription,
  SfuEvents,
} from './ports.ts'
import { awaitPublication, publicationsOf, unpublish } from './publishing.ts'
import { updateQuality } from './quality.ts'
import { ReceptionReports } from './reception-reports.ts'
import { assertMedia, MediaRefusal } from './refusals.ts'
import { describeTracks } from './remote-publications.ts'
import type { RoomRouter } from './room-router.ts'
import { RoomSpeakers } from './room-speakers.ts'
import { endpointOf, type Member, type RoomState } from './room-state.ts'
import { RouteGenerations } from './route-generations.ts'
import { RouterSet } from './router-set.ts'
import { RtpEgress } from './rtp-egress.ts'
import type { SpeakerEvents } from './speaker-detector.ts'
import { offerAllTo } from './subscribing.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface SfuRoomParts {
  workers: WorkerPool
  events: SfuEvents
  log: Logger
  republishTimeoutMs: number
  consumersPerWorker: number
  nodes?: NodeConnections | undefined
}

type Open<E> = (roomRouter: RoomRouter, routeGeneration: () => string) => Promise<E>

const ROUTER_TIMEOUT_MS = 5_000
const noWorker = () => new MediaRefusal('no_worker')

/** The media of one session. It uses a worker only once somebody opens an endpoint. */
export class SfuRoom {
  readonly state: RoomState
  readonly #parts: SfuRoomParts
  readonly #routers: RouterSet
  readonly #generations = new RouteGenerations()
  readonly #receptions: ReceptionReports
  /** Clients see it as `route_generation`. */
  #generation: string | null = null
  #closed = false

  constructor(sessionId: number, parts: SfuRoomParts) {
    const { workers, events, republishTimeoutMs, consumersPerWorker, nodes } = parts
    const log = parts.log.child({ conference_session_id: sessionId })
    this.#parts = { ...parts, log }
    const speakers = new RoomSpeakers(this.#speakerEvents(sessionId), log)
    this.state = {
      sessionId,
      members: new Map(),
      publications: new Map(),
      speakers,
      events,
      log,
      republishTimeoutMs,
      nodes,
    }
    this.#receptions = new ReceptionReports(this.state)
    this.#routers = new RouterSet({
      workers,
      log,
      consumersPerWorker,
      countPublications: () => this.state.publications.size,
      countConsumers: roomRouter => this.#countConsumers(roomRouter),
      prepareFirst: roomRouter => speakers.moveTo(roomRouter),
      onDeath: roomRouter => void this.#handleWorkerDeath(roomRouter),
    })
  }

  /** Repeated, it raises the generations and adds what is awaited. */
  open(opening: Omit<RoomOpening, 'sessionId'>): void {
    const { incarnation, generationAfter, generation, awaited = [], detectsSpeakers } = opening
    this.#generations.raise(incarnation, generationAfter)
    if (generation !== undefined && BigInt(generation) > BigInt(this.#generation ?? 0)) {
      this.#generations.raise(incarnation, generation)
      this.#generation = generation
    }
    if (detectsSpeakers !== undefined) this.state.speakers.setActive(detectsSpeakers)
    for (const publication of awaited) awaitPublication(this.state, publication)
  }

  async openRoute(): Promise<RouteDescription> {
    const { node } = await withTimeout(this.#routers.first(), ROUTER_TIMEOUT_MS, noWorker)
    return { workerId: node.id, routeGeneration: this.#currentGeneration() }
  }

  async openEndpoint(participantId: string, options: EndpointOptions): Promise<EndpointDescription> {
    const member = this.#getOrAddMember(participantId)
    this.#receptions.start()
    const open = (...route: Parameters<Open<Endpoint>>) => Endpoint.open(...route, options)
    const endpoint = await this.#replaceEndpoint(member, open, options.payloadTypes)
    endpoint.onConnectivity(() => {
      if (member.endpoint === endpoint) updateQuality(this.state, member)
    })
    return endpoint.describe()
  }

  /** With the same options, it keeps the present egress and repeats unanswered offers. */
  async openEgress(participantId: string, options: EgressOptions): Promise<EgressDescription> {
    const member = this.#getOrAddMember(participantId)
    const known =
      member.endpoint instanceof RtpEgress && member.endpoint.matches(options) ? member.endpoint : null
    const egress =
      known ?? (await this.#replaceEndpoint(member, (...route) => RtpEgress.open(...route, options)))
    offerAllTo(this.state, member)
    return egress.describe()
  }

  setRtpCapabilities(member: Member, endpointId: string, rtpCapabilities: object): void {
    endpointOf(member, endpointId).rtpCapabilities = readRtpCapabilities(rtpCapabilities)
    offerAllTo(this.state, member)
  }

  /** The media workers, the first one first; none until somebody opened an endpoint. */
  get workerIds(): string[] {
    return this.#routers.workerIds
  }

  router(id: string): RoomRouter | null {
    return this.#routers.find(id)
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
    member.endpoint?.close()
    if (member.attempt) this.#routers.leave(member.attempt)
    member.attempt = null
    this.state.members.delete(participantId)
  }

  repeatOffers(): void {
    for (const member of this.state.members.values()) offerAllTo(this.state, member)
  }

  describe(): RoomDescription {
    const { members, publications, nodes } = this.state
    return {
      ...(nodes && describeTracks(this.state, nodes.nodeId)),
      route: this.#route(),
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
    this.#receptions.close()
    for (const { publication, state } of this.state.publications.values()) {
      if (state.is === 'awaited') clearTimeout(state.until)
      this.state.publications.delete(publication.publicationId)
    }
    for (const member of this.state.members.values()) member.attempt = null
    this.state.members.clear()
    this.#routers.close()
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
    open: Open<E>,
    payloadTypes?: PayloadTypes,
  ): Promise<E> {
    const former = member.attempt
    const attempt = Symbol(member.id)
    member.attempt = attempt
    member.endpoint?.close()
    member.endpoint = null
    const entering = this.#routers.enter(attempt, payloadTypes)
    try {
      const roomRouter = await withTimeout(entering, ROUTER_TIMEOUT_MS, noWorker)
      const endpoint = await open(roomRouter, () => this.#currentGeneration())
      if (member.attempt !== attempt || endpoint.closed) {
        endpoint.close()
        // Not `gone`, which invites a retry: that would replace the endpoint which has replaced this one.
        throw new MediaRefusal(member.attempt && member.attempt !== attempt ? 'superseded' : 'gone')
      }
      member.endpoint = endpoint
      return endpoint
    } catch (error) {
      // After a timeout, a router may still be found.
      entering.then(() => this.#routers.leave(attempt)).catch(() => {})
      throw error
    } finally {
      if (former) this.#routers.leave(former)
    }
  }

  /** A closed room emits no speaker events, though its microphones still close. */
  #speakerEvents(sessionId: number): SpeakerEvents {
    const { events } = this.#parts
    return {
      activeSpeaker: participantId => this.#closed || events.activeSpeaker(sessionId, participantId),
      audioLevels: levels => this.#closed || events.audioLevels(sessionId, levels),
    }
  }

  /** Participants who had an endpoint on the router are directed to another one; others keep theirs. */
  async #handleWorkerDeath(dead: RoomRouter): Promise<void> {
    const { sessionId, members } = this.state
    const { events, log } = this.#parts
    this.#generation = this.#generations.next()
    const affected = [...members.values()].filter(({ endpoint }) => endpoint?.roomRouter === dead)
    for (const member of affected) member.endpoint = null
    if (this.#closed || affected.length === 0) return
    const { workerIds } = this
    try {
      const { node } = await this.#routers.first()
      const route = { workerId: node.id, routeGeneration: this.#currentGeneration() }
      if (!this.#closed) events.moved(sessionId, { ...route, ...(workerIds.length > 0 && { workerIds }) })
    } catch (error) {
      log.warn(
        { err: error },
        'no media worker is ready for the participants of one that died: their clients ask again',
      )
    }
  }

  #route(): MovedRoute | null {
    const { workerIds } = this
    const [workerId] = workerIds
    if (workerId === undefined) return null
    return {
      workerId,
      routeGeneration: this.#currentGeneration(),
      ...(workerIds.length > 1 && { workerIds }),
    }
  }

  #currentGeneration(): string {
    this.#generation ??= this.#generations.next()
    return this.#generation
  }

  #countConsumers(roomRouter: RoomRouter): number {
    let count = 0
    for (const { endpoint } of this.state.members.values())
      if (endpoint?.roomRouter === roomRouter) count += endpoint.subscriptions.size
    return count
  }
}
