import type {
  ControlEvent,
  ControlSnapshot,
  ControlSync,
  Cursor,
  JsonObject,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { Stream } from './stream.ts'

/** What the streams tell: changes of state, each exactly once and in order. */
export interface StreamEvents {
  /** The state of the stream as a whole. */
  replaced(streamId: string, state: JsonObject): void
  happened(event: ControlEvent): void
  /** The stream is not of this connection any more. */
  gone(streamId: string): void
}

/** Contract §8: cursors in a sync. */
const CURSORS_MAX = 1024

/** Every stream of the connection, and how far each has come (rules C2 to C8). */
export class Streams {
  #streams = new Map<string, Stream>()
  #events: StreamEvents

  constructor(events: StreamEvents) {
    this.#events = events
  }

  /** Where the client is, for a resume or a resync. */
  cursors(): Cursor[] {
    return [...this.#streams.values()].flatMap(stream => stream.cursor ?? []).slice(0, CURSORS_MAX)
  }

  /** Null for a stream that is not known, or has no state yet. */
  epochOf(streamId: string): string | null {
    return this.#streams.get(streamId)?.cursor?.stream_epoch ?? null
  }

  /** Whether every stream is where the last sync said that it would come. */
  get settled(): boolean {
    return [...this.#streams.values()].every(stream => stream.settled)
  }

  /** Whether an event is missing that only a resync can bring. */
  get broken(): boolean {
    return [...this.#streams.values()].some(stream => stream.broken)
  }

  get someNew(): boolean {
    return [...this.#streams.values()].some(stream => stream.cursor === null)
  }

  /** The stream begins now; its state comes by itself. */
  expect(streamId: string): void {
    this.#stream(streamId)
  }

  /** A sync was answered: these are the streams, and there is where they end at present. */
  begin(listed: Cursor[], mode: ControlSync['mode']): void {
    const kept = new Set(listed.map(cursor => cursor.stream_id))
    for (const id of [...this.#streams.keys()].filter(id => !kept.has(id))) this.#remove(id)
    for (const cursor of listed) this.#stream(cursor.stream_id).begin(cursor, mode)
  }

  /** False when it breaks the limits. */
  snapshot(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): boolean {
    return this.#stream(part.stream_id).snapshot(part, bytes, limits)
  }

  event(event: ControlEvent): void {
    this.#stream(event.stream_id).event(event)
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
    this.#events.gone(id)
  }
}
