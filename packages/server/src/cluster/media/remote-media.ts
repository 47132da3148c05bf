import { Refusal } from '@lectern/protocol'
import type { Logger } from 'pino'
import type {
  DisplaySize,
  EgressDescription,
  EgressOptions,
  EndpointDescription,
  EndpointOptions,
  IceRestart,
  MediaServer,
  MediaTraffic,
  MediaWorkerStatus,
  Negotiation,
  ParticipantRef,
  ProbeTransport,
  PublishOffer,
  RoomDescription,
  RoomOpening,
  RouteDescription,
  SfuEvents,
  SubscribeAnswer,
} from '../../media/ports.ts'
import type { MutableSource } from '../../sessions/ports.ts'
import type { ServerIdentity } from '../members/identity.ts'
import type { Members } from '../members/members.ts'
import type { ClusterNetwork } from '../network/network.ts'
import { askAll, measureTraffic, openProbe } from './measurements.ts'
import { MediaNodePool } from './media-node-pool.ts'
import type { NodeRoom } from './node-room.ts'
import type { RoomMethod, RoomRef } from './protocol.ts'
import { type NodeDescription, RemoteRoom } from './remote-room.ts'
import { RoomPlacement } from './room-placement.ts'
import { RoomRoutes } from './room-routes.ts'
import { RoomUpkeep } from './room-upkeep.ts'
import { SharedPublications } from './shared-publications.ts'

interface RemoteMediaParts {
  network: ClusterNetwork
  members: Members
  self: ServerIdentity
  events: SfuEvents
  log: Logger
}

/** Below the time that a client waits for a session to be taken over. */
const ADOPT_TIMEOUT_MS = 1_500

/** The media server of a cluster: each session is served by one or several media nodes. */
export class RemoteMedia implements MediaServer {
  readonly #rooms = new Map<number, RemoteRoom>()
  /** Sessions whose rooms nodes are being asked for: nodes count them as ours already. */
  readonly #adopting = new Set<number>()
  readonly #nodes: MediaNodePool
  readonly #placement: RoomPlacement
  readonly #routes: RoomRoutes
  readonly #upkeep: RoomUpkeep

  constructor({ network, members, self, events, log }: RemoteMediaParts) {
    this.#nodes = new MediaNodePool({ network, members, region: self.region, log })
    const shared = new SharedPublications(this.#nodes)
    this.#placement = new RoomPlacement({ nodes: this.#nodes, shared, log })
    this.#routes = new RoomRoutes({ placement: this.#placement, shared, events, log })
    const parts = {
      rooms: this.#rooms,
      adopting: this.#adopting,
      nodes: this.#nodes,
      routes: this.#routes,
      shared,
    }
    this.#upkeep = new RoomUpkeep({ ...parts, network, ownerId: self.id, events, log })
  }

  openRoom(opening: RoomOpening): void {
    const { sessionId, incarnation } = opening
    const known = this.#rooms.get(sessionId)
    if (known && known.incarnation !== incarnation) this.closeRoom(sessionId)
    const room = this.#rooms.get(sessionId) ?? new RemoteRoom(opening)
    this.#rooms.set(sessionId, room)
    room.open(opening)
    this.#placement.settleOrphans(room)
  }

  closeRoom(sessionId: number): void {
    const room = this.#remove(sessionId)
    for (const nodeId of room?.claims ?? []) if (room) this.#placement.close(room, nodeId)
  }

  releaseRoom(sessionId: number): void {
    const room = this.#remove(sessionId)
    for (const nodeId of room?.claims ?? [])
      if (room) this.#nodes.request(nodeId, 'release', room.ref).catch(() => {})
  }

  async adoptRoom(ref: RoomRef): Promise<RoomDescription | null> {
    this.#adopting.add(ref.sessionId)
    try {
      return await this.#adopt(ref)
    } finally {
      this.#adopting.delete(ref.sessionId)
    }
  }

  closeParticipant(sessionId: number, participantId: string): void {
    const room = this.#rooms.get(sessionId)
    if (!room) return
    const nodeId = room.members.get(participantId)?.nodeId
    room.removeMember(participantId)
    // Former nodes may still serve the participant.
    for (const id of room.claims) this.#send(room, id, 'closeParticipant', [sessionId, participantId])
    if (nodeId) this.#routes.leave(room, nodeId)
  }

  mute(sessionId: number, participantId: string, source: MutableSource): void {
    const room = this.#rooms.get(sessionId)
    for (const nodeId of room?.claims ?? []) {
      if (!room) return
      this.#send(room, nodeId, 'mute', [sessionId, participantId, source], node => {
        if (room.members.get(participantId)?.nodeId === nodeId) node.mutes.push({ participantId, source })
      })
    }
  }

  closeEgress({ sessionId, participantId }: ParticipantRef): void {
    this.closeParticipant(sessionId, participantId)
  }

  async openEndpoint(
    participant: ParticipantRef,
    options: EndpointOptions = {},
  ): Promise<EndpointDescription> {
    const { region, ...others } = options
    return this.#enter<EndpointDescription>(participant, 'openEndpoint', [participant, others], region)
  }

  async openEgress(observer: ParticipantRef, options: EgressOptions): Promise<EgressDescription> {
    return this.#enter<EgressDescription>(observer, 'openEgress', [observer, options])
  }

  async setRtpCapabilities(participant: ParticipantRef, endpointId: string, rtpCapabilities: object) {
    await this.#ask(participant, 'setRtpCapabilities', [participant, endpointId, rtpCapabilities])
  }

  async requestKeyFrame(observer: ParticipantRef, publicationId: string) {
    await this.#ask(observer, 'requestKeyFrame', [observer, publicationId])
  }

  async restartIce(participant: ParticipantRef, endpointId: string) {
    return this.#ask<IceRestart>(participant, 'restartIce', [participant, endpointId])
  }

  async publish(participant: ParticipantRef, negotiation: Negotiation, offer: PublishOffer) {
    await this.#ask(participant, 'publish', [participant, negotiation, offer])
  }

  async answer(
    participant: ParticipantRef,
    negotiation: Negotiation,
    answer: SubscribeAnswer | { error: object },
  ) {
    if (this.#rooms.has(participant.sessionId))
      await this.#ask(participant, 'answer', [participant, negotiation, answer])
  }

  async pause(participant: ParticipantRef, publicationId: string) {
    await this.#ask(participant, 'pause', [participant, publicationId])
  }

  async resume(participant: ParticipantRef, publicationId: string) {
    await this.#ask(participant, 'resume', [participant, publicationId])
  }

  async setLayers(participant: ParticipantRef, publicationId: string, size: DisplaySize) {
    await this.#ask(participant, 'setLayers', [participant, publicationId, size])
  }

  async close(participant: ParticipantRef, publicationId?: string) {
    const args = publicationId === undefined ? [participant] : [participant, publicationId]
    await this.#ask(participant, 'close', args)
  }

  async openRoute(sessionId: number): Promise<RouteDescription> {
    const room = this.#room({ sessionId })
    const [node] = room.nodes.values()
    const { nodeId } = node ?? (await this.#placement.find(room))
    return this.#placement.openRoute(room, nodeId)
  }

  async describe(sessionId: number): Promise<RoomDescription | null> {
    const room = this.#rooms.get(sessionId)
    if (!room) return null
    const found = await Promise.all(
      [...room.nodes.values()].map(async node => {
        const description = await this.#upkeep.reconcile(room, node)
        return description && { nodeId: node.nodeId, description }
      }),
    )
    if (found.length === 0)
      return {
        ...room.merge([]),
        publications: [...room.publications.values()].map(known => known.publication),
      }
    const present = found.filter(each => each !== null)
    return present.length === 0 ? null : room.merge(present)
  }

  repeatOffers(sessionId: number): void {
    const room = this.#rooms.get(sessionId)
    for (const node of room?.nodes.values() ?? []) node.isUncertain = true
  }

  qualityOf(sessionId: number): Map<string, number | null> {
    const members = this.#rooms.get(sessionId)?.members ?? []
    return new Map([...members].map(([id, { quality }]) => [id, quality]))
  }

  workersOf(sessionId: number): string[] {
    return this.#rooms.get(sessionId)?.workerIds ?? []
  }

  mediaNodesOf(sessionId: number): string[] {
    return [...(this.#rooms.get(sessionId)?.nodes.keys() ?? [])]
  }

  measureTraffic(sessionIds = [...this.#rooms.keys()]): Promise<MediaTraffic> {
    const rooms = sessionIds.map(id => this.#rooms.get(id)).filter(room => room !== undefined)
    return measureTraffic(this.#nodes, rooms)
  }

  /** Those of all nodes that answer. */
  async readWorkers(): Promise<MediaWorkerStatus[]> {
    const readNode = async (nodeId: string) => {
      const node = this.#nodes.nameOf(nodeId)
      return (await this.#nodes.request(nodeId, 'workers', {})).map(worker => ({ ...worker, node }))
    }
    return (await askAll(this.#nodes.ids, readNode)).flat()
  }

  get expectedWorkers(): number {
    return this.#nodes.sumOf('expectedWorkers')
  }

  openProbe(lifetimeMs: number, onClose: () => void): Promise<ProbeTransport> {
    return openProbe(this.#nodes, lifetimeMs, onClose)
  }

  /** Rooms stay on their nodes for their next owners. */
  async stop(): Promise<void> {
    this.#upkeep.stop()
    this.#routes.stop()
    this.#nodes.stop()
  }

  async #adopt(ref: RoomRef): Promise<RoomDescription | null> {
    const answers = await Promise.all(
      this.#nodes.ids.map(async nodeId => {
        const found = await this.#nodes.request(nodeId, 'adopt', ref, ADOPT_TIMEOUT_MS).catch(() => null)
        return found && { nodeId, description: found }
      }),
    )
    const found = answers.filter(answer => answer !== null).sort(byGeneration)
    if (found.length === 0) return null
    this.#remove(ref.sessionId)
    const room = new RemoteRoom(ref)
    for (const { nodeId, description } of found) room.adopt(nodeId, description)
    this.#rooms.set(ref.sessionId, room)
    // Nodes that were not reachable for a while drop what is left over, and changes since the answers were reported to
    // nobody.
    for (const node of room.nodes.values()) node.isUncertain = true
    for (const { nodeId } of found) this.#routes.leave(room, nodeId)
    this.#placement.lead(room)
    return room.merge(found)
  }

  /** Opens an endpoint, on a node that is chosen now if the participant has none. */
  async #enter<T extends RouteDescription>(
    { sessionId, participantId }: ParticipantRef,
    method: RoomMethod,
    args: unknown[],
    region?: string,
  ): Promise<T> {
    const room = this.#room({ sessionId })
    if (!room.members.has(participantId)) room.members.set(participantId, { nodeId: null, quality: null })
    const nodeId = await this.#placement.place(room, participantId, region)
    const opened = await this.#call<T>(room, nodeId, method, args)
    room.nodes.get(nodeId)?.workerIds.add(opened.workerId)
    room.raise(opened.routeGeneration)
    return opened
  }

  async #ask<T>(participant: ParticipantRef, method: RoomMethod, args: unknown[]): Promise<T> {
    const room = this.#room(participant)
    const nodeId = room.members.get(participant.participantId)?.nodeId
    if (!nodeId) throw new Refusal('media_gone')
    return this.#call<T>(room, nodeId, method, args)
  }

  /** Fire and forget: what fails is repeated when the room is reconciled. */
  #send(
    room: RemoteRoom,
    nodeId: string,
    method: RoomMethod,
    args: unknown[],
    onFailure: (node: NodeRoom) => void = () => {},
  ): void {
    this.#call(room, nodeId, method, args).catch(() => {
      const node = room.nodes.get(nodeId)
      if (!node) return
      node.isUncertain = true
      onFailure(node)
    })
  }

  /** Sent before it returns. */
  async #call<T>(room: RemoteRoom, nodeId: string, method: RoomMethod, args: unknown[]): Promise<T> {
    const { incarnation } = room
    const answer = await this.#nodes.request(nodeId, 'call', { method, incarnation, args })
    if (answer.is === 'done') return answer.value as T
    if (answer.is === 'unknown_room') this.#routes.lost(room, nodeId)
    throw new Refusal(answer.is === 'unknown_room' ? 'media_gone' : 'media_no_session')
  }

  #room({ sessionId }: Pick<ParticipantRef, 'sessionId'>): RemoteRoom {
    const room = this.#rooms.get(sessionId)
    if (!room) throw new Refusal('media_no_session')
    return room
  }

  #remove(sessionId: number): RemoteRoom | undefined {
    const room = this.#rooms.get(sessionId)
    if (room) room.isClosed = true
    this.#rooms.delete(sessionId)
    return room
  }
}

const byGeneration = (a: NodeDescription, b: NodeDescription): number =>
  Number(
    BigInt(b.description.route?.routeGeneration ?? 0) - BigInt(a.description.route?.routeGeneration ?? 0),
  )
