import type { ControlError, MediaRef, PublishOffer, SubscribeAnswer } from '@lectern/protocol/control'
import { setLogEventListeners } from 'mediasoup'
import type { Logger } from 'pino'
import type { Media, MutableSource } from '../sessions/ports.ts'
import { readDescriptors, shareOf } from './descriptors.ts'
import type { OpenOptions, Seat, SeatMedia, SfuEvents, Shown, TapOptions } from './ports.ts'
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
export class Sfu implements Media, SeatMedia {
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

  async open(seat: Seat, options: OpenOptions = {}) {
    return this.#room(seat).open(seat.participantId, options)
  }

  async tap(seat: Seat, options: TapOptions) {
    return this.#room(seat).tap(seat.participantId, options)
  }

  /** Of its file descriptors, how many the fullest worker has open: 0 to 1. */
  async descriptorShare(): Promise<number> {
    const all = await Promise.all(this.workers.living.map(({ worker }) => readDescriptors(worker.pid)))
    return Math.max(0, ...all.filter(each => each !== null).map(shareOf))
  }

  untap({ sessionId, participantId }: Seat): void {
    this.closeParticipant(sessionId, participantId)
  }

  async requestKeyFrame(seat: Seat, publicationId: string) {
    const { room, member } = this.#at(seat)
    demand(room.state.publications.has(publicationId), 'no_publication')
    await requestKeyFrame(member, publicationId)
  }

  async receive(seat: Seat, endpointId: string, rtpCapabilities: object) {
    const { room, member } = this.#at(seat)
    room.receive(member, endpointId, rtpCapabilities)
  }

  async restartIce(seat: Seat, endpointId: string) {
    return endpointOf(this.#at(seat).member, endpointId).restartIce()
  }

  async publish(seat: Seat, ref: MediaRef, offer: PublishOffer) {
    const { room, member } = this.#at(seat)
    return publish(room.state, member, ref, offer)
  }

  async answer(seat: Seat, ref: MediaRef, answer: SubscribeAnswer | { error: ControlError }) {
    const viewer = this.#rooms.get(seat.sessionId)?.state.members.get(seat.participantId)
    if (viewer) await takeAnswer(viewer, ref, answer)
  }

  async pause(seat: Seat, publicationId: string) {
    await this.#setPaused(seat, publicationId, true)
  }

  async resume(seat: Seat, publicationId: string) {
    await this.#setPaused(seat, publicationId, false)
  }

  async setLayers(seat: Seat, publicationId: string, shown: Shown) {
    const { room, member } = this.#at(seat)
    await setLayers(room.state, member, publicationId, shown)
  }

  close(seat: Seat, publicationId?: string): void {
    const { room, member } = this.#at(seat)
    if (publicationId === undefined) room.leave(member.id)
    else unpublish(room.state, ownPublication(room.state, member, publicationId))
  }

  /** Ends the workers too. Safe to call twice. */
  async stop(): Promise<void> {
    for (const sessionId of this.#rooms.keys()) this.closeRoom(sessionId)
    await this.workers.close()
  }

  async #setPaused(seat: Seat, publicationId: string, paused: boolean): Promise<void> {
    const { room, member } = this.#at(seat)
    await setPaused(room.state, ownPublication(room.state, member, publicationId), paused)
  }

  #room({ sessionId }: Seat): Room {
    const room = this.#rooms.get(sessionId)
    demand(room, 'no_session')
    return room
  }

  #at(seat: Seat) {
    const room = this.#room(seat)
    return { room, member: room.member(seat.participantId) }
  }
}
