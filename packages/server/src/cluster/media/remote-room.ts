import type {
  MovedRoute,
  Publication,
  PublishedTrack,
  RoomDescription,
  RoomOpening,
} from '../../media/ports.ts'
import { generationFloor } from '../../media/route-generations.ts'
import { NodeRoom } from './node-room.ts'
import type { RoomRef, SfuEventName } from './protocol.ts'

/** A participant or observer who may have an endpoint. */
export interface RemoteMember {
  /** The node of its endpoint and publications; null until one is chosen. */
  nodeId: string | null
  /** The quality of the participant's connection. */
  quality: number | null
}

/** A publication, on the node of its participant. */
interface KnownPublication {
  publication: Publication
  nodeId: string | null
  /** The newest producer of the publication; null when no producer can be received. */
  track: PublishedTrack | null
}

export interface NodeDescription {
  nodeId: string
  description: RoomDescription
}

type RoomEvent = [SfuEventName, unknown[]]

/** The owner's knowledge of the rooms of a session on media nodes: enough to open them on others. */
export class RemoteRoom implements RoomRef {
  readonly sessionId: number
  incarnation: number
  /** The nodes that serve the session, the first one first; none before somebody needs media. */
  readonly nodes = new Map<string, NodeRoom>()
  /** Nodes that may have a room of the session: the present ones, the next and the former. */
  readonly claims = new Set<string>()
  readonly members = new Map<string, RemoteMember>()
  readonly publications = new Map<string, KnownPublication>()
  isClosed = false
  /** Whether participants are being moved to other nodes. */
  isMoving = false
  /** Participants have lost their nodes, and have not been notified yet. */
  isDisplaced = false
  /** The opening of a further node; null when none could be opened. */
  placing: Promise<string | null> | null = null
  #newestGeneration = 0n
  #hasRoute = false

  constructor({ sessionId, incarnation }: RoomRef) {
    this.sessionId = sessionId
    this.incarnation = incarnation
  }

  get ref(): RoomRef {
    return { sessionId: this.sessionId, incarnation: this.incarnation }
  }

  /** The media workers of all nodes. */
  get workerIds(): string[] {
    return [...this.nodes.values()].flatMap(({ workerIds }) => [...workerIds])
  }

  /** The newest generation that clients may know. */
  get generation(): string {
    return String(this.#newestGeneration)
  }

  /** The generation that a further node has to begin with; undefined for the first one. */
  get firstGeneration(): string | undefined {
    return this.#hasRoute ? this.generation : undefined
  }

  /** A node has a route of the generation. */
  raise(generation: string): void {
    this.#hasRoute = true
    this.#raise(generation)
  }

  nextGeneration(): string {
    this.raise(String(generationFloor(this.incarnation)))
    this.#newestGeneration += 1n
    return this.generation
  }

  /** The session's route on all its nodes. */
  get route(): MovedRoute | null {
    const { workerIds } = this
    const [workerId] = workerIds
    if (workerId === undefined) return null
    return { workerId, routeGeneration: this.generation, ...(workerIds.length > 1 && { workerIds }) }
  }

  /** Combines the descriptions of all nodes; each participant is described by their own node. */
  merge(found: NodeDescription[]): RoomDescription {
    const members = found.flatMap(({ nodeId, description }) =>
      description.members.filter(({ participantId }) => this.members.get(participantId)?.nodeId === nodeId),
    )
    const publications = found.flatMap(({ nodeId, description }) =>
      description.publications.filter(
        ({ publicationId: id }) => this.publications.get(id)?.nodeId === nodeId,
      ),
    )
    return { route: this.route, members, publications }
  }

  /** The participants of a node; with null, those who have none. */
  membersOn(nodeId: string | null): string[] {
    return [...this.members].filter(([, member]) => member.nodeId === nodeId).map(([id]) => id)
  }

  publicationsOn(nodeId: string): Publication[] {
    return [...this.publications.values()]
      .filter(known => known.nodeId === nodeId)
      .map(({ publication }) => publication)
  }

  open({ generationAfter = '0', awaited = [] }: RoomOpening): void {
    this.#raise(generationAfter)
    for (const publication of awaited)
      if (!this.publications.has(publication.publicationId)) {
        const nodeId = this.members.get(publication.participantId)?.nodeId ?? null
        this.publications.set(publication.publicationId, {
          publication: { ...publication },
          nodeId,
          track: null,
        })
      }
  }

  /** Gives participants a node. Returns their publications that were elsewhere: the node has to await them. */
  settle(participantIds: string[], nodeId: string): Publication[] {
    const ids = new Set(participantIds)
    for (const id of ids) {
      const member = this.members.get(id)
      if (member) member.nodeId = nodeId
    }
    const moved = [...this.publications.values()].filter(
      known => ids.has(known.publication.participantId) && known.nodeId !== nodeId,
    )
    for (const known of moved) known.nodeId = nodeId
    return moved.map(({ publication }) => publication)
  }

  /** Takes publications without a node whose participants are not inside yet, so that some node awaits them. */
  settleOrphans(nodeId: string): Publication[] {
    const orphans = [...this.publications.values()].filter(
      known => known.nodeId === null && !this.members.has(known.publication.participantId),
    )
    for (const known of orphans) known.nodeId = nodeId
    return orphans.map(({ publication }) => publication)
  }

  /** The node did not take the room. */
  dropPublications(nodeId: string): void {
    for (const known of this.publications.values()) if (known.nodeId === nodeId) known.nodeId = null
  }

  /** Nothing can be received from the node any more. */
  dropTracks(nodeId: string): void {
    for (const known of this.publications.values()) if (known.track?.nodeId === nodeId) known.track = null
  }

  /** The node is gone, or has lost the room. Whether it had participants. */
  removeNode(nodeId: string): boolean {
    this.nodes.delete(nodeId)
    this.dropTracks(nodeId)
    this.dropPublications(nodeId)
    const displaced = [...this.members.values()].filter(member => member.nodeId === nodeId)
    for (const member of displaced) member.nodeId = null
    return displaced.length > 0
  }

  removeMember(participantId: string): void {
    this.members.delete(participantId)
    for (const [id, { publication }] of this.publications)
      if (publication.participantId === participantId) this.publications.delete(id)
    for (const node of this.nodes.values())
      node.mutes = node.mutes.filter(mute => mute.participantId !== participantId)
  }

  /** Adds the room of a node to a session that is taken over. The node with the newest generation comes first. */
  adopt(nodeId: string, { route, members, publications, tracks = [], remote = [] }: RoomDescription): void {
    const node = new NodeRoom(nodeId)
    this.claims.add(nodeId)
    this.nodes.set(nodeId, node)
    if (route) {
      node.setRoute(route)
      this.raise(route.routeGeneration)
    }
    for (const { participantId, quality } of members)
      if (!this.members.has(participantId)) this.members.set(participantId, { nodeId, quality })
    for (const publication of publications)
      if (!this.publications.has(publication.publicationId))
        this.publications.set(publication.publicationId, { publication, nodeId, track: null })
    this.setTracks(nodeId, tracks)
    node.shared = new Map(remote.map(({ publicationId, producerId }) => [publicationId, producerId]))
  }

  /** The producers of a node. True when others have to know about one. */
  setTracks(nodeId: string, tracks: PublishedTrack[]): boolean {
    let isNew = false
    for (const track of tracks) {
      const known = this.publications.get(track.publicationId)
      if (known?.nodeId !== nodeId || known.track?.producerId === track.producerId) continue
      known.track = track
      isNew = true
    }
    return isNew
  }

  /**
   * Keeps what an event of a node says. Returns the event for everybody; null when it is obsolete: about a participant of
   * another node, or a publication that everybody knows.
   */
  apply(nodeId: string, event: RoomEvent): RoomEvent | null {
    const [name, args] = event
    switch (name) {
      case 'published':
      case 'changed': {
        const publication = args[1] as Publication
        const { publicationId, participantId, paused } = publication
        const member = this.members.get(participantId)
        // Nothing of a participant who has left comes back.
        if (!member) return this.nodes.size === 1 ? event : null
        if (member.nodeId !== nodeId) return null
        const known = this.publications.get(publicationId)
        this.publications.set(publicationId, {
          publication,
          nodeId,
          track: known?.nodeId === nodeId ? known.track : null,
        })
        if (name === 'changed' || !known) return event
        return known.publication.paused === paused ? null : ['changed', args]
      }
      case 'unpublished': {
        const { publicationId } = args[1] as Publication
        const known = this.publications.get(publicationId)
        if (known && known.nodeId !== nodeId) return null
        this.publications.delete(publicationId)
        return event
      }
      case 'offer':
      case 'reception':
      case 'quality': {
        const { participantId } = args[0] as { participantId: string }
        const member = this.members.get(participantId)
        if (member?.nodeId !== nodeId) return null
        if (name === 'quality') member.quality = args[1] as number
        return event
      }
      // The viewer may be on another node than the publisher, whom the event is for.
      case 'undecodable':
        return this.members.has((args[0] as { participantId: string }).participantId) ? event : null
      // One detector for all, so that they do not contradict each other.
      case 'activeSpeaker':
      case 'audioLevels':
        return this.nodes.keys().next().value === nodeId ? event : null
      case 'moved':
        return event
    }
  }

  /** The events of a node that were lost, given what it has now. `before`: its publications when it was asked. */
  missedEvents(nodeId: string, before: Publication[], { publications }: RoomDescription): RoomEvent[] {
    const present = new Set(publications.map(({ publicationId }) => publicationId))
    const missed: RoomEvent[] = []
    for (const publication of publications) {
      const known = this.publications.get(publication.publicationId)
      if (!known) missed.push(['published', [this.sessionId, publication]])
      else if (known.publication.paused !== publication.paused)
        missed.push(['changed', [this.sessionId, publication]])
    }
    for (const { publicationId, participantId } of before)
      if (!present.has(publicationId) && this.publications.get(publicationId)?.nodeId === nodeId)
        missed.push(['unpublished', [this.sessionId, { publicationId, participantId }]])
    return missed
  }

  #raise(generation: string): void {
    if (BigInt(generation) > this.#newestGeneration) this.#newestGeneration = BigInt(generation)
  }
}
