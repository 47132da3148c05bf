import { setImmediate } from 'node:timers/promises'
import { coalesced } from '@lectern/common'
import type { Logger } from 'pino'
import { type Clock, steadyClock } from '../../../platform/clock.ts'
import { Postponed } from '../../../platform/postponed.ts'
import { storeFailure } from '../../../platform/store-failure.ts'
import type { NewEvent, Occurrence } from '../../ports.ts'
import type { RoomStore } from '../../stores/rooms.ts'
import type { RoomDeletionStore } from '../../stores/v2/deletions.ts'
import type { PartnerEventStore } from '../../stores/v2/events.ts'
import type { PartnerFacts } from '../../stores/v2/facts.ts'
import { settingsOf } from '../rooms/settings.ts'
import { describe, type EventRoom } from './describe.ts'
import type { KnownPeople } from './known-people.ts'

interface PublisherParts {
  events: PartnerEventStore
  facts: PartnerFacts
  rooms: Pick<RoomStore, 'listByTags'>
  deletions: Pick<RoomDeletionStore, 'find'>
  known: KnownPeople
  /** Sends what is due. */
  queue: { wake(): void }
  clock: Clock
  log: Pick<Logger, 'error'>
}

/** Small, because transcripts may be large. */
const BATCH_SIZE = 100
/** An occurrence that cannot be described although the store can be read lets others pass for so long. */
const RETRY_AFTER_MS = 5_000
/** All others wait so long for one that cannot be read. */
const AWAITED_MS = 60_000
const RETENTION_MS = 30 * 86_400_000
const PRUNED_AT_ONCE = 500

/**
 * Makes events of what happened in rooms (decision 153). Triggers note it in the transaction of the change; this publishes each
 * note once, numbered without gaps, whichever server does it.
 */
export class EventPublisher {
  readonly #parts: PublisherParts
  readonly #postponed: Postponed<number>
  readonly #monotonicMs: Clock
  /** Occurrences that hold up others because the store did not answer, by their ids. */
  readonly #awaitedSinceMs = new Map<number, number>()
  #isStopped = false

  constructor(parts: PublisherParts) {
    this.#parts = parts
    this.#monotonicMs = steadyClock(parts.clock)
    this.#postponed = new Postponed(parts.clock, RETRY_AFTER_MS)
  }

  /** Publishes all that happened. Never rejects: the next call tries again. */
  readonly poll = coalesced(async () => {
    const { events, queue, log } = this.#parts
    try {
      for (;;) {
        if (this.#isStopped) return
        const batch = await events.occurrences(BATCH_SIZE, this.#postponed.keys())
        if (batch.length === 0) return this.#awaitedSinceMs.clear()
        const { published, failed } = await this.#publish(batch)
        if (published > 0) queue.wake()
        if (failed === batch.length || batch.length < BATCH_SIZE) return
      }
    } catch (error) {
      log.error({ err: error }, 'events of rooms could not be published: retried')
    }
  })

  /** Resolves when the present poll has stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.poll()
  }

  /** Forgets old events, a few at a time: neither a request nor another server waits for long. */
  async sweep(): Promise<void> {
    const { events, clock } = this.#parts
    const beforeMs = clock() - RETENTION_MS
    while (!this.#isStopped && (await events.prune(beforeMs, PRUNED_AT_ONCE))) await setImmediate()
  }

  /** Publishes the batch. An occurrence that cannot be described is tried again later, and holds up no others. */
  async #publish(batch: Occurrence[]): Promise<{ published: number; failed: number }> {
    const { events, clock } = this.#parts
    const rooms = await this.#roomsOf(batch)
    const described = await Promise.all(batch.map(each => this.#eventOf(each, rooms.get(each.tag))))
    const made = described.filter(each => typeof each === 'object' && each !== null)
    const dropped = described.filter(each => typeof each === 'number')
    const published = await events.publish(made, dropped, clock())
    return { published, failed: batch.length - made.length - dropped.length }
  }

  /** The id of an occurrence that has become void; null if it could not be described. */
  async #eventOf(occurrence: Occurrence, room: EventRoom | undefined): Promise<NewEvent | number | null> {
    const { facts, known, log } = this.#parts
    const { id, type, subject } = occurrence
    try {
      const description = room && (await describe(occurrence, room, facts, known))
      return room && description ? toEvent(occurrence, room, description) : id
    } catch (error) {
      // It is nothing about this one: others must not pass, or the order would be another one.
      if (storeFailure(error) === 'temporarily_unavailable' && this.#isAwaited(id)) throw error
      this.#postponed.add(id)
      log.error(
        { err: error, occurrence: id, type, subject },
        'an event could not be published: retried later, and others are not delayed',
      )
      return null
    }
  }

  /** For a minute: then it is something about this one after all. */
  #isAwaited(id: number): boolean {
    const nowMs = this.#monotonicMs()
    const sinceMs = this.#awaitedSinceMs.get(id) ?? nowMs
    this.#awaitedSinceMs.set(id, sinceMs)
    return nowMs - sinceMs < AWAITED_MS
  }

  async #roomsOf(batch: Occurrence[]): Promise<Map<string, EventRoom>> {
    const { rooms: roomStore, deletions } = this.#parts
    const tags = [...new Set(batch.map(({ tag }) => tag))]
    const rooms = new Map<string, EventRoom>()
    for (const { type, tag, data } of batch)
      if (type === 'room.deleted')
        rooms.set(tag, {
          tag,
          clientId: data.client_id as number,
          externalId: data.external_id as string,
          metadata: data.metadata as Record<string, string>,
        })
    // First: a room that is deleted meanwhile has its deletion before it is gone.
    const existing = await roomStore.listByTags(tags)
    for (const deletion of await deletions.find(tags)) rooms.set(deletion.tag, deletion)
    for (const room of existing) rooms.set(room.tag, { ...room, metadata: settingsOf(room).metadata })
    return rooms
  }
}

const toEvent = (
  { id, tag, type, subject, atMs }: Occurrence,
  { clientId, externalId, metadata }: EventRoom,
  { data, participantMs = 0, recordedMs = 0 }: { data: object; participantMs?: number; recordedMs?: number },
): NewEvent => ({
  occurrenceId: id,
  clientId,
  tag,
  type,
  subject,
  atMs,
  content: {
    type,
    created_at: new Date(atMs).toISOString(),
    room: { external_id: externalId, tag, metadata },
    data,
  },
  usage: { participantMs, recordedMs },
})
