import { setLogEventListeners } from 'mediasoup'
import type { Logger } from 'pino'
import type { MutableSource } from '../sessions/ports.ts'
import { NodePipes } from './pipes/node-pipes.ts'
import type { NodeConnections, PipeAddress, PipeSender } from './pipes/ports.ts'
import { DEFAULT_CONSUMERS_PER_WORKER } from './placement.ts'
import type {
  DisplaySize,
  EgressOptions,
  EndpointOptions,
  MediaServer,
  MediaTraffic,
  MediaWorkerStatus,
  Negotiation,
  ParticipantRef,
  ProbeTransport,
  PublishOffer,
  RemotePublication,
  RoomDescription,
  RoomOpening,
  RouteDescription,
  SfuEvents,
  SubscribeAnswer,
} from './ports.ts'
import { ProbeTransports } from './probe-transports.ts'
import { mute, publish, setPaused, unpublish } from './publishing.ts'
import { assertMedia } from './refusals.ts'
import { addRemotePublication, removeRemotePublication } from './remote-publications.ts'
import { endpointOf, ownPublication } from './room-state.ts'
import { SfuRoom, type SfuRoomParts } from './sfu-room.ts'
import { measureTraffic, readWorkerStatus } from './statistics.ts'
import { handleAnswer, requestKeyFrame, setLayers } from './subscribing.ts'
import { RemoteSource } from './track-source.ts'
import { type PoolSettings, WorkerPool } from './worker-pool.ts'

export interface SfuParts {
  events: SfuEvents
  log: Logger
  republishTimeoutMs?: number
  consumersPerWorker?: number
  nodes?: NodeConnections
}

const REPUBLISH_TIMEOUT_MS = 10_000

/** The selective forwarding unit: forwards media between the participants of each session. */
export class Sfu implements MediaServer {
  readonly workers: WorkerPool
  /** Links with other media nodes; null without any. */
  readonly pipes: NodePipes | null
  readonly #rooms = new Map<number, SfuRoom>()
  readonly #parts: SfuRoomParts
  readonly #probes: ProbeTransports

  private constructor(workers: WorkerPool, parts: SfuParts) {
    this.workers = workers
    this.#parts = {
      republishTimeoutMs: REPUBLISH_TIMEOUT_MS,
      consumersPerWorker: DEFAULT_CONSUMERS_PER_WORKER,
      ...parts,
      workers,
    }
    this.#probes = new ProbeTransports(workers)
    const { nodes, log } = parts
    this.pipes = nodes
      ? new NodePipes({ messages: nodes.messages, open: (...link) => this.#openLink(...link), log })
      : null
  }

  /** Rejects when a media worker does not start. */
  static async start(settings: PoolSettings, parts: SfuParts): Promise<Sfu> {
    // Most warnings are caused by what participants send, who get an error; operators need not act. The pool logs workers
    // that die or hang.
    setLogEventListeners({
      onwarn: (namespace, message) => parts.log.debug({ namespace }, message),
      onerror: (namespace, message, error) =>
        parts.log.debug({ namespace, ...(error && { reason: error.message }) }, message),
    })
    return new Sfu(await WorkerPool.start(settings, parts.log), parts)
  }

  openRoom({ sessionId, ...opening }: RoomOpening): void {
    const room = this.#rooms.get(sessionId) ?? new SfuRoom(sessionId, this.#parts)
    this.#rooms.set(sessionId, room)
    room.open(opening)
  }

  closeRoom(sessionId: number): void {
    this.#rooms.get(sessionId)?.close()
    this.#rooms.delete(sessionId)
  }

  /** Media in this process cannot be taken over. */
  releaseRoom(sessionId: number): void {
    this.closeRoom(sessionId)
  }

  closeParticipant(sessionId: number, participantId: string): void {
    this.#rooms.get(sessionId)?.removeParticipant(participantId)
  }

  mute(sessionId: number, participantId: string, source: MutableSource): void {
    const room = this.#rooms.get(sessionId)
    if (room) mute(room.state, participantId, source)
  }

  async openEndpoint(participant: ParticipantRef, options: EndpointOptions = {}) {
    return this.#room(participant).openEndpoint(participant.participantId, options)
  }

  async openEgress(participant: ParticipantRef, options: EgressOptions) {
    return this.#room(participant).openEgress(participant.participantId, options)
  }

  closeEgress({ sessionId, participantId }: ParticipantRef): void {
    this.closeParticipant(sessionId, participantId)
  }

  async requestKeyFrame(participant: ParticipantRef, publicationId: string) {
    const { room, member } = this.#memberOf(participant)
    assertMedia(room.state.publications.has(publicationId), 'no_publication')
    await requestKeyFrame(member, publicationId)
  }

  async setRtpCapabilities(participant: ParticipantRef, endpointId: string, rtpCapabilities: object) {
    const { room, member } = this.#memberOf(participant)
    room.setRtpCapabilities(member, endpointId, rtpCapabilities)
  }

  async restartIce(participant: ParticipantRef, endpointId: string) {
    return endpointOf(this.#memberOf(participant).member, endpointId).restartIce()
  }

  async publish(participant: ParticipantRef, negotiation: Negotiation, offer: PublishOffer) {
    const { room, member } = this.#memberOf(participant)
    await publish(room.state, member, negotiation, offer)
  }

  async answer(
    participant: ParticipantRef,
    negotiation: Negotiation,
    answer: SubscribeAnswer | { error: object },
  ) {
    const viewer = this.#rooms.get(participant.sessionId)?.state.members.get(participant.participantId)
    if (viewer) await handleAnswer(viewer, negotiation, answer)
  }

  async pause(participant: ParticipantRef, publicationId: string) {
    await this.#setPaused(participant, publicationId, true)
  }

  async resume(participant: ParticipantRef, publicationId: string) {
    await this.#setPaused(participant, publicationId, false)
  }

  async setLayers(participant: ParticipantRef, publicationId: string, size: DisplaySize) {
    const { room, member } = this.#memberOf(participant)
    await setLayers(room.state, member, publicationId, size)
  }

  async close(participant: ParticipantRef, publicationId?: string): Promise<void> {
    const { room, member } = this.#memberOf(participant)
    if (publicationId === undefined) room.removeParticipant(member.id)
    else unpublish(room.state, ownPublication(room.state, member, publicationId))
  }

  async openRoute(sessionId: number): Promise<RouteDescription> {
    return this.#room({ sessionId }).openRoute()
  }

  /** Media in this process ends with its owner. */
  async adoptRoom(): Promise<null> {
    return null
  }

  repeatOffers(sessionId: number): void {
    this.#rooms.get(sessionId)?.repeatOffers()
  }

  async describe(sessionId: number): Promise<RoomDescription | null> {
    return this.#rooms.get(sessionId)?.describe() ?? null
  }

  /** Repeated for each producer of the publication. See addRemotePublication in remote-publications.ts. */
  addRemotePublication(sessionId: number, { publication, track }: RemotePublication): void {
    const room = this.#rooms.get(sessionId)
    assertMedia(room && this.pipes, 'no_session')
    const origin = this.pipes.origin(track.nodeId, sessionId, track.routerId)
    addRemotePublication(room.state, publication, new RemoteSource(track, origin))
  }

  removeRemotePublication(sessionId: number, publicationId: string): void {
    const room = this.#rooms.get(sessionId)
    if (room) removeRemotePublication(room.state, publicationId)
  }

  qualityOf(sessionId: number): Map<string, number | null> {
    const members = this.#rooms.get(sessionId)?.state.members.values() ?? []
    return new Map([...members].map(({ id, quality }) => [id, quality]))
  }

  workersOf(sessionId: number): string[] {
    return this.#rooms.get(sessionId)?.workerIds ?? []
  }

  /** Empty: the media is in this process. */
  mediaNodesOf(): string[] {
    return []
  }

  measureTraffic(sessionIds = [...this.#rooms.keys()]): Promise<MediaTraffic> {
    const rooms = sessionIds.map(id => this.#rooms.get(id)).filter(room => room !== undefined)
    return measureTraffic(rooms.map(({ state }) => state))
  }

  readWorkers(): Promise<MediaWorkerStatus[]> {
    return Promise.all(this.workers.alive.map(readWorkerStatus))
  }

  get expectedWorkers(): number {
    return this.workers.size
  }

  openProbe(lifetimeMs: number, onClose: () => void): Promise<ProbeTransport> {
    return this.#probes.open(lifetimeMs, onClose)
  }

  /** Also closes the workers. Safe to call twice. */
  async stop(): Promise<void> {
    for (const sessionId of this.#rooms.keys()) this.closeRoom(sessionId)
    await this.workers.close()
  }

  async #setPaused(participant: ParticipantRef, publicationId: string, paused: boolean): Promise<void> {
    const { room, member } = this.#memberOf(participant)
    await setPaused(room.state, ownPublication(room.state, member, publicationId), paused)
  }

  #openLink(sessionId: number, routerId: string, receiver: PipeAddress): Promise<PipeSender> | null {
    return this.#rooms.get(sessionId)?.router(routerId)?.connectRemote(receiver) ?? null
  }

  #room({ sessionId }: Pick<ParticipantRef, 'sessionId'>): SfuRoom {
    const room = this.#rooms.get(sessionId)
    assertMedia(room, 'no_session')
    return room
  }

  #memberOf(participant: ParticipantRef) {
    const room = this.#room(participant)
    return { room, member: room.member(participant.participantId) }
  }
}
