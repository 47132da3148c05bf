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
import type { ServerIdentity } from '../identity.ts'
import type { Members } from '../members.ts'
import type { ClusterNetwork } from '../network.ts'
import { askAll, measureTraffic, openProbe } from './measurements.ts'
import { MediaNodes } from './media-nodes.ts'
import type { RoomMethod, RoomRef } from './protocol.ts'
import { RemoteRoom } from './remote-room.ts'
import { RoomRoutes } from './room-routes.ts'
import { RoomUpkeep } from './room-upkeep.ts'

interface Parts {
  network: ClusterNetwork
  members: Members
  self: ServerIdentity
  events: SfuEvents
  log: Logger
}

/** Below the time that a client waits for a session to be taken over. */
const ADOPT_TIMEOUT_MS = 1_500

/** The media server of a cluster: each session is served by one of the media nodes. */
export class RemoteMedia implements MediaServer {
  readonly #rooms = new Map<number, RemoteRoom>()
  readonly #nodes: MediaNodes
  readonly #routes: RoomRoutes
  readonly #upkeep: RoomUpkeep

  constructor({ network, members, self, events, log }: Parts) {
    this.#nodes = new MediaNodes({ network, members, region: self.region, log })
    this.#routes = new RoomRoutes({ nodes: this.#nodes, events, log })
    const parts = { rooms: this.#rooms, nodes: this.#nodes, routes: this.#routes }
    this.#upkeep = new RoomUpkeep({ ...parts, network, ownerId: self.id, events, log })
  }

  openRoom(opening: RoomOpening): void {
    const { sessionId, incarnation } = opening
    const known = this.#rooms.get(sessionId)
    if (known && known.incarnation !== incarnation) this.closeRoom(sessionId)
    const room = this.#rooms.get(sessionId) ?? new RemoteRoom(opening)
    this.#rooms.set(sessionId, room)
    room.open(opening)
    if (room.nodeId !== null) this.#routes.update(room, room.nodeId)
  }

  closeRoom(sessionId: number): void {
    const room = this.#remove(sessionId)
    for (const nodeId of room?.claims ?? []) if (room) this.#routes.close(room, nodeId)
  }

  releaseRoom(sessionId: number): void {
    const room = this.#remove(sessionId)
    for (const nodeId of room?.claims ?? [])
      if (room) this.#nodes.request(nodeId, 'release', room.ref).catch(() => {})
  }

  async adoptRoom(ref: RoomRef): Promise<RoomDescription | null> {
    const answers = await Promise.all(
      this.#nodes.ids.map(async nodeId => {
        const found = await this.#nodes.request(nodeId, 'adopt', ref, ADOPT_TIMEOUT_MS).catch(() => null)
        return found && { nodeId, description: found }
      }),
    )
    const [newest, ...others] = answers.filter(found => found !== null).sort(byGeneration)
    if (!newest) return null
    this.#remove(ref.sessionId)
    const room = new RemoteRoom(ref)
    room.adopt(newest.nodeId, newest.description)
    this.#rooms.set(ref.sessionId, room)
    // Left over on a node that was not reachable for a while.
    for (const { nodeId } of others) this.#routes.close(room, nodeId)
    return newest.description
  }

  closeParticipant(sessionId: number, participantId: string): void {
    const room = this.#rooms.get(sessionId)
    if (!room) return
    room.removeMember(participantId)
    this.#send(room, 'closeParticipant', [sessionId, participantId])
  }

  mute(sessionId: number, participantId: string, source: MutableSource): void {
    const room = this.#rooms.get(sessionId)
    if (!room?.nodeId) return
    const mute = { participantId, source }
    this.#call(room, 'mute', [sessionId, participantId, source]).catch(() => {
      room.mutes.push(mute)
      room.isUncertain = true
    })
  }

  closeEgress({ sessionId, participantId }: ParticipantRef): void {
    this.closeParticipant(sessionId, participantId)
  }

  async openEndpoint(
    participant: ParticipantRef,
    options: EndpointOptions = {},
  ): Promise<EndpointDescription> {
    return this.#enter<EndpointDescription>(participant, 'openEndpoint', [participant, options])
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
    if (!room.nodeId) await this.#routes.place(room)
    const route = await this.#call<RouteDescription>(room, 'openRoute', [sessionId])
    room.setRoute(route)
    return route
  }

  async describe(sessionId: number): Promise<RoomDescription | null> {
    const room = this.#rooms.get(sessionId)
    if (!room) return null
    if (!room.nodeId) return { route: null, members: [], publications: [...room.publications.values()] }
    return this.#upkeep.reconcile(room)
  }

  repeatOffers(sessionId: number): void {
    const room = this.#rooms.get(sessionId)
    if (room) room.isUncertain = true
  }

  qualityOf(sessionId: number): Map<string, number | null> {
    return new Map(this.#rooms.get(sessionId)?.members)
  }

  nodesOf(sessionId: number): string[] {
    return [...(this.#rooms.get(sessionId)?.workerIds ?? [])]
  }

  measureTraffic(sessionIds = [...this.#rooms.keys()]): Promise<MediaTraffic> {
    const rooms = sessionIds.map(id => this.#rooms.get(id)).filter(room => room !== undefined)
    return measureTraffic(this.#nodes, rooms)
  }

  /** Those of all nodes that answer. */
  async readWorkers(): Promise<MediaWorkerStatus[]> {
    return (await askAll(this.#nodes.ids, nodeId => this.#nodes.request(nodeId, 'workers', {}))).flat()
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

  /** Opens an endpoint, on a node that is chosen now if the session has none. */
  async #enter<T extends RouteDescription>(
    { sessionId, participantId }: ParticipantRef,
    method: RoomMethod,
    args: unknown[],
  ): Promise<T> {
    const room = this.#room({ sessionId })
    if (!room.members.has(participantId)) room.members.set(participantId, null)
    if (!room.nodeId) await this.#routes.place(room)
    if (room.isClosed || !room.members.has(participantId)) throw new Refusal('media_gone')
    const opened = await this.#call<T>(room, method, args)
    room.addEndpoint(opened)
    return opened
  }

  async #ask<T>({ sessionId }: ParticipantRef, method: RoomMethod, args: unknown[]): Promise<T> {
    return this.#call<T>(this.#room({ sessionId }), method, args)
  }

  /** Fire and forget: what fails is repeated when the room is reconciled. */
  #send(room: RemoteRoom, method: RoomMethod, args: unknown[]): void {
    if (room.nodeId === null) return
    this.#call(room, method, args).catch(() => {
      room.isUncertain = true
    })
  }

  /** Sent before it returns. */
  async #call<T>(room: RemoteRoom, method: RoomMethod, args: unknown[]): Promise<T> {
    const { nodeId, incarnation } = room
    if (nodeId === null) throw new Refusal('media_gone')
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

type Found = { description: RoomDescription }

const byGeneration = (a: Found, b: Found): number =>
  Number(
    BigInt(b.description.route?.routeGeneration ?? 0) - BigInt(a.description.route?.routeGeneration ?? 0),
  )
