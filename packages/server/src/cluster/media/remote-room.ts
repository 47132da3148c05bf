import type {
  MovedRoute,
  Publication,
  RoomDescription,
  RoomOpening,
  RouteDescription,
} from '../../media/ports.ts'
import type { Mute, RoomRef, SfuEventName } from './protocol.ts'

/** Far below the size limit of a message. */
const AWAITED_PER_MESSAGE = 500

/** What the owner of a session knows of its room on a media node: enough to open it on another one. */
export class RemoteRoom implements RoomRef {
  readonly sessionId: number
  incarnation: number
  /** The node that serves the session; null before somebody needs media, and while none is available. */
  nodeId: string | null = null
  /** The media workers that serve it, as far as they are known. */
  workerIds = new Set<string>()
  /** Nodes that may have the room: the present one, the next and the former. */
  readonly claims = new Set<string>()
  /** Participants and observers who may have endpoints, with the quality of their connections. */
  readonly members = new Map<string, number | null>()
  readonly publications = new Map<string, Publication>()
  /** Those that may not have reached the node. */
  mutes: Mute[] = []
  /** Something that was sent or received may be lost. */
  isUncertain = false
  isClosed = false
  /** Whether it is being moved to another node. */
  isMoving = false
  placing: Promise<string> | null = null
  #newestGeneration = 0n

  constructor({ sessionId, incarnation }: RoomRef) {
    this.sessionId = sessionId
    this.incarnation = incarnation
  }

  get ref(): RoomRef {
    return { sessionId: this.sessionId, incarnation: this.incarnation }
  }

  /** Messages that open the room on a node, and let it await what is published now. */
  openings(): RoomOpening[] {
    const awaited = [...this.publications.values()]
    const opening = { ...this.ref, generationAfter: String(this.#newestGeneration) }
    const openings: RoomOpening[] = []
    for (let i = 0; i === 0 || i < awaited.length; i += AWAITED_PER_MESSAGE)
      openings.push({ ...opening, awaited: awaited.slice(i, i + AWAITED_PER_MESSAGE) })
    return openings
  }

  setRoute({ nodeId, nodeIds = [nodeId], routeGeneration }: MovedRoute): void {
    this.workerIds = new Set(nodeIds)
    this.#raise(routeGeneration)
  }

  /** The room may use several workers. */
  addEndpoint({ nodeId, routeGeneration }: RouteDescription): void {
    this.workerIds.add(nodeId)
    this.#raise(routeGeneration)
  }

  #raise(routeGeneration: string): void {
    if (BigInt(routeGeneration) > this.#newestGeneration) this.#newestGeneration = BigInt(routeGeneration)
  }

  open({ generationAfter = '0', awaited = [] }: RoomOpening): void {
    if (BigInt(generationAfter) > this.#newestGeneration) this.#newestGeneration = BigInt(generationAfter)
    for (const publication of awaited)
      if (!this.publications.has(publication.publicationId))
        this.publications.set(publication.publicationId, { ...publication })
  }

  adopt(nodeId: string, { route, members, publications }: RoomDescription): void {
    this.nodeId = nodeId
    this.claims.add(nodeId)
    if (route) this.setRoute(route)
    for (const { participantId, quality } of members) this.members.set(participantId, quality)
    for (const publication of publications) this.publications.set(publication.publicationId, publication)
  }

  removeMember(participantId: string): void {
    this.members.delete(participantId)
    for (const { publicationId, participantId: owner } of [...this.publications.values()])
      if (owner === participantId) this.publications.delete(publicationId)
    this.mutes = this.mutes.filter(mute => mute.participantId !== participantId)
  }

  /** Keeps what an event of the node says. */
  apply(name: SfuEventName, args: unknown[]): void {
    switch (name) {
      case 'published':
      case 'changed': {
        const publication = args[1] as Publication
        // Of a participant who has left, nothing comes back.
        if (this.members.has(publication.participantId))
          this.publications.set(publication.publicationId, publication)
        return
      }
      case 'unpublished':
        this.publications.delete((args[1] as Publication).publicationId)
        return
      case 'moved':
        this.setRoute(args[1] as MovedRoute)
        return
      case 'quality': {
        const { participantId } = args[0] as { participantId: string }
        if (this.members.has(participantId)) this.members.set(participantId, args[1] as number)
      }
    }
  }

  /** The events that were lost, given what the node has now. */
  missedEvents({ route, publications }: RoomDescription): [SfuEventName, unknown[]][] {
    const present = new Set(publications.map(({ publicationId }) => publicationId))
    const missed: [SfuEventName, unknown[]][] = []
    for (const publication of publications) {
      const known = this.publications.get(publication.publicationId)
      if (!known) missed.push(['published', [this.sessionId, publication]])
      else if (known.paused !== publication.paused) missed.push(['changed', [this.sessionId, publication]])
    }
    for (const { publicationId, participantId } of this.publications.values())
      if (!present.has(publicationId))
        missed.push(['unpublished', [this.sessionId, { publicationId, participantId }]])
    if (route && this.workerIds.size > 0 && BigInt(route.routeGeneration) > this.#newestGeneration)
      missed.push(['moved', [this.sessionId, route]])
    return missed
  }
}
