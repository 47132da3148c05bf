import type { RoomRef } from './protocol.ts'

interface HostedRoom {
  incarnation: number
  /** Null: released, for the next owner. */
  owner: string | null
  /** When the owner reported it last. */
  keptAtMs: number
}

/** Which server owns which room of a media node. A room belongs to the highest incarnation that has claimed it. */
export class HostedRooms {
  readonly #rooms = new Map<number, HostedRoom>()

  get size(): number {
    return this.#rooms.size
  }

  has(sessionId: number): boolean {
    return this.#rooms.has(sessionId)
  }

  ownerOf(sessionId: number): string | null {
    return this.#rooms.get(sessionId)?.owner ?? null
  }

  /** `replaced`: what is left of an earlier incarnation MUST be closed. */
  open(
    { sessionId, incarnation }: RoomRef,
    owner: string,
    nowMs: number,
  ): 'added' | 'known' | 'replaced' | 'superseded' {
    const room = this.#rooms.get(sessionId)
    if (room && room.incarnation >= incarnation)
      return isOwn(room, incarnation, owner) ? 'known' : 'superseded'
    this.#rooms.set(sessionId, { incarnation, owner, keptAtMs: nowMs })
    return room ? 'replaced' : 'added'
  }

  /** Whether the server owns the room from now on. */
  adopt({ sessionId, incarnation }: RoomRef, owner: string, nowMs: number): boolean {
    const room = this.#rooms.get(sessionId)
    if (!room || (room.incarnation >= incarnation && !isOwn(room, incarnation, owner))) return false
    this.#rooms.set(sessionId, { incarnation, owner, keptAtMs: nowMs })
    return true
  }

  check({ sessionId, incarnation }: RoomRef, owner: string): 'owned' | 'unknown_room' | 'superseded' {
    const room = this.#rooms.get(sessionId)
    if (!room) return 'unknown_room'
    return isOwn(room, incarnation, owner) ? 'owned' : 'superseded'
  }

  release(sessionId: number, nowMs: number): void {
    const room = this.#rooms.get(sessionId)
    if (room) this.#rooms.set(sessionId, { ...room, owner: null, keptAtMs: nowMs })
  }

  /** The owner reports all of its rooms: which of them do not exist, and which others of its rooms it has dropped. */
  keep(owner: string, sessionIds: number[], nowMs: number): { unknown: number[]; dropped: number[] } {
    const reported = new Set(sessionIds)
    const dropped: number[] = []
    for (const [sessionId, room] of this.#rooms) {
      if (room.owner !== owner) continue
      if (reported.has(sessionId)) room.keptAtMs = nowMs
      else dropped.push(sessionId)
    }
    return { unknown: sessionIds.filter(id => !this.#rooms.has(id)), dropped }
  }

  /** Nobody could report anything until now. */
  keepAll(nowMs: number): void {
    for (const room of this.#rooms.values()) room.keptAtMs = nowMs
  }

  /** Rooms whose owner was silent for longer. */
  silentFor(ms: number, nowMs: number): number[] {
    return [...this.#rooms].filter(([, { keptAtMs }]) => nowMs - keptAtMs > ms).map(([id]) => id)
  }

  remove(sessionId: number): void {
    this.#rooms.delete(sessionId)
  }
}

const isOwn = (room: HostedRoom, incarnation: number, owner: string): boolean =>
  room.owner === owner && room.incarnation === incarnation
