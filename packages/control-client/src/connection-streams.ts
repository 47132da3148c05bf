import type {
  ControlEvent,
  ControlSnapshot,
  ControlSync,
  Cursor,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { Stream, type StreamEvents } from './stream.ts'

/** The most cursors in a sync (docs/control-protocol.md). */
const CURSORS_MAX = 1024

/** All streams of the connection with their cursors (rules C2 to C8). */
export class ConnectionStreams {
  #streams = new Map<string, Stream>()
  #events: StreamEvents

  constructor(events: StreamEvents) {
    this.#events = events
  }

  /** The cursors for a resume or a resync. */
  cursors(): Cursor[] {
    return [...this.#streams.values()].flatMap(stream => stream.cursor ?? []).slice(0, CURSORS_MAX)
  }

  /** Null for a stream that is unknown or has no state yet. */
  epochOf(streamId: string): string | null {
    return this.#streams.get(streamId)?.cursor?.stream_epoch ?? null
  }

  /** Whether every stream has reached its sync target. */
  get areSynced(): boolean {
    return [...this.#streams.values()].every(stream => stream.isSynced)
  }

  /** Whether an event is missing that only a resync can bring. */
  get haveGap(): boolean {
    return [...this.#streams.values()].some(stream => stream.hasGap)
  }

  get haveNew(): boolean {
    return [...this.#streams.values()].some(stream => stream.cursor === null)
  }

  /** A stream that begins now; the server sends its state without a sync. */
  expect(streamId: string): void {
    this.#stream(streamId)
  }

  /** Applies a sync result: the streams of the connection, and the current end of each. */
  startSync(listed: Cursor[], mode: ControlSync['mode']): void {
    const listedIds = new Set(listed.map(cursor => cursor.stream_id))
    for (const id of [...this.#streams.keys()].filter(id => !listedIds.has(id))) this.#remove(id)
    for (const cursor of listed) this.#stream(cursor.stream_id).startSync(cursor, mode)
  }

  /** Returns false when the snapshot exceeds the limits. */
  snapshot(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): boolean {
    return this.#stream(part.stream_id).snapshot(part, bytes, limits)
  }

  event(event: ControlEvent): void {
    this.#stream(event.stream_id).event(event)
  }

  /** The server sends nothing of the stream any more. */
  forget(streamId: string): void {
    if (this.#streams.has(streamId)) this.#remove(streamId)
  }

  #stream(id: string): Stream {
    const known = this.#streams.get(id)
    if (known) return known
    const stream = new Stream(id, this.#events)
    this.#streams.set(id, stream)
    return stream
  }

  #remove(id: string): void {
    this.#streams.delete(id)
    this.#events.removed(id)
  }
}
