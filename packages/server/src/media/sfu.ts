import { setLogEventListeners } from 'mediasoup'
import type { Logger } from 'pino'
import type { Media, MutableSource } from '../sessions/ports.ts'
import { readDescriptors, shareOf } from './descriptors.ts'
import type {
  DisplaySize,
  EgressOptions,
  EndpointOptions,
  Negotiation,
  ParticipantMedia,
  ParticipantRef,
  PublishOffer,
  SfuEvents,
  SubscribeAnswer,
} from './ports.ts'
import { mute, publish, setPaused, unpublish } from './publishing.ts'
import { demand } from './refusals.ts'
import { Room, type RoomParts } from './room.ts'
import { endpointOf, ownPublication } from './room-state.ts'
import { requestKeyFrame, setLayers, takeAnswer } from './subscribing.ts'
import { type PoolSettings, WorkerPool } from './worker-pool.ts'

export interface SfuParts {
  events: SfuEvents
  log: Logger
  clock?: () => number
  republishWithinMs?: number
}

const REPUBLISH_WITHIN_MS = 10_000

/** Forwards what participants of sessions send to each other. */
export class Sfu implements Media, ParticipantMedia {
  readonly workers: WorkerPool
  readonly #rooms = new Map<number, Room>()
  readonly #parts: RoomParts

  private constructor(workers: WorkerPool, parts: SfuParts) {
    this.workers = workers
    this.#parts = { clock: Date.now, republishWithinMs: REPUBLISH_WITHIN_MS, ...parts, workers }
  }

  /** Rejects when a media worker does not start. */
  static async start(settings: PoolSettings, parts: SfuParts): Promise<Sfu> {
    // Most of what workers complain about is what participants sent: they get a refusal, and the operator need not act.
    // That a worker has died or hangs is logged by the pool.
    setLogEventListeners({
      onwarn: (namespace, message) => parts.log.debug({ namespace }, message),
      onerror: (namespace, message, error) =>
        parts.log.debug({ namespace, ...(error && { reason: error.message }) }, message),
    })
    return new Sfu(await WorkerPool.start(settings, parts.log), parts)
  }

  openRoom(sessionId: number): void {
    if (!this.#rooms.has(sessionId)) this.#rooms.set(sessionId, new Room(sessionId, this.#parts))
  }

  closeRoom(sessionId: number): void {
    this.#rooms.get(sessionId)?.close()
    this.#rooms.delete(sessionId)
  }

  closeParticipant(sessionId: number, participantId: string): void {
    this.#rooms.get(sessionId)?.leave(participantId)
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

  /** Of its file descriptors, how many the fullest worker has open: 0 to 1. */
  async descriptorShare(): Promise<number> {
    const all = await Promise.all(this.workers.living.map(({ worker }) => readDescriptors(worker.pid)))
    return Math.max(0, ...all.filter(each => each !== null).map(shareOf))
  }

  closeEgress({ sessionId, participantId }: ParticipantRef): void {
    this.closeParticipant(sessionId, participantId)
  }

  async requestKeyFrame(participant: ParticipantRef, publicationId: string) {
    const { room, member } = this.#at(participant)
    demand(room.state.publications.has(publicationId), 'no_publication')
    await requestKeyFrame(member, publicationId)
  }

  async setRtpCapabilities(participant: ParticipantRef, endpointId: string, rtpCapabilities: object) {
    const { room, member } = this.#at(participant)
    room.setRtpCapabilities(member, endpointId, rtpCapabilities)
  }

  async restartIce(participant: ParticipantRef, endpointId: string) {
    return endpointOf(this.#at(participant).member, endpointId).restartIce()
  }

  async publish(participant: ParticipantRef, negotiation: Negotiation, offer: PublishOffer) {
    const { room, member } = this.#at(participant)
    await publish(room.state, member, negotiation, offer)
  }

  async answer(
    participant: ParticipantRef,
    negotiation: Negotiation,
    answer: SubscribeAnswer | { error: object },
  ) {
    const viewer = this.#rooms.get(participant.sessionId)?.state.members.get(participant.participantId)
    if (viewer) await takeAnswer(viewer, negotiation, answer)
  }

  async pause(participant: ParticipantRef, publicationId: string) {
    await this.#setPaused(participant, publicationId, true)
  }

  async resume(participant: ParticipantRef, publicationId: string) {
    await this.#setPaused(participant, publicationId, false)
  }

  async setLayers(participant: ParticipantRef, publicationId: string, size: DisplaySize) {
    const { room, member } = this.#at(participant)
    await setLayers(room.state, member, publicationId, size)
  }

  close(participant: ParticipantRef, publicationId?: string): void {
    const { room, member } = this.#at(participant)
    if (publicationId === undefined) room.leave(member.id)
    else unpublish(room.state, ownPublication(room.state, member, publicationId))
  }

  /** Ends the workers too. Safe to call twice. */
  async stop(): Promise<void> {
    for (const sessionId of this.#rooms.keys()) this.closeRoom(sessionId)
    await this.workers.close()
  }

  async #setPaused(participant: ParticipantRef, publicationId: string, paused: boolean): Promise<void> {
    const { room, member } = this.#at(participant)
    await setPaused(room.state, ownPublication(room.state, member, publicationId), paused)
  }

  #room({ sessionId }: ParticipantRef): Room {
    const room = this.#rooms.get(sessionId)
    demand(room, 'no_session')
    return room
  }

  #at(participant: ParticipantRef) {
    const room = this.#room(participant)
    return { room, member: room.member(participant.participantId) }
  }
}
