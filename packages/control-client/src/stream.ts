import type {
  ControlEvent,
  ControlSnapshot,
  ControlSync,
  Cursor,
  JsonObject,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { isAfter, next } from './counter.ts'
import { SnapshotAssembler } from './snapshots.ts'

/** Changes of state, each emitted exactly once and in order. */
export interface StreamEvents {
  /** The complete state of the stream. */
  snapshot(streamId: string, state: JsonObject): void
  event(event: ControlEvent): void
  /** The stream no longer belongs to this connection. */
  removed(streamId: string): void
}

/**
 * `pending` holds events that arrived before the state that they change.
 *
 * - no-state: the stream waits for its first snapshot.
 * - following: every event up to the cursor is in the state.
 * - gap: an event after the cursor is missing. A replay from the cursor (resume) or a snapshot closes the gap.
 */
type Position =
  | { is: 'no-state'; pending: ControlEvent[] }
  | { is: 'following'; cursor: Cursor }
  | { is: 'gap'; cursor: Cursor; pending: ControlEvent[] }

/** One stream: orders snapshots and events, and detects gaps (rules C2 to C8). */
export class Stream {
  #position: Position = { is: 'no-state', pending: [] }
  /** The end of the stream at the last sync; the sync completes when the cursor reaches it. */
  #syncTarget: Cursor | null = null
  #snapshots = new SnapshotAssembler()
  #id: string
  #events: StreamEvents

  constructor(id: string, events: StreamEvents) {
    this.#id = id
    this.#events = events
  }

  get cursor(): Cursor | null {
    return this.#position.is === 'no-state' ? null : this.#position.cursor
  }

  get isSynced(): boolean {
    return this.#syncTarget === null
  }

  get hasGap(): boolean {
    return this.#position.is === 'gap'
  }

  startSync(end: Cursor, mode: ControlSync['mode']): void {
    this.#snapshots.clear()
    this.#syncTarget = end
    const { cursor } = this
    const continues = cursor?.stream_epoch === end.stream_epoch && !isAfter(cursor.seq, end.seq)
    // A fresh sync replaces all earlier state.
    if (!cursor || !continues || mode === 'fresh') this.#position = { is: 'no-state', pending: [] }
    // The server replays from the given cursor; a stream that is already at its end gets nothing.
    else if (mode === 'resume' || cursor.seq === end.seq) this.#position = { is: 'following', cursor }
    this.#checkSyncTarget()
  }

  snapshot(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): boolean {
    const assembly = this.#snapshots.add(part, bytes, limits)
    if (assembly.is === 'too-large') return false
    if (assembly.is === 'incomplete') return true
    const cursor = { stream_id: this.#id, stream_epoch: part.stream_epoch, seq: part.snapshot_seq }
    if (this.#isBehind(cursor)) return true
    const pending = this.#position.is === 'following' ? [] : this.#position.pending
    this.#position = { is: 'following', cursor }
    this.#events.snapshot(this.#id, assembly.state)
    this.#checkSyncTarget()
    for (const event of pending) this.event(event)
    return true
  }

  event(event: ControlEvent): void {
    const position = this.#position
    if (position.is !== 'following') return void position.pending.push(event)
    const { cursor } = position
    if (this.#isBehind(event)) return
    if (event.stream_epoch !== cursor.stream_epoch || event.seq !== next(cursor.seq)) {
      this.#position = { is: 'gap', cursor, pending: [event] }
      return
    }
    this.#position = { is: 'following', cursor: { ...cursor, seq: event.seq } }
    this.#events.event(event)
    this.#checkSyncTarget()
  }

  /** Whether it is of an older epoch or already in the state. */
  #isBehind({ stream_epoch, seq }: Pick<Cursor, 'stream_epoch' | 'seq'>): boolean {
    const { cursor } = this
    if (!cursor) return false
    if (stream_epoch !== cursor.stream_epoch) return isAfter(cursor.stream_epoch, stream_epoch)
    return !isAfter(seq, cursor.seq)
  }

  #checkSyncTarget(): void {
    const position = this.#position
    if (!this.#syncTarget || position.is !== 'following') return
    const { cursor } = position
    if (cursor.stream_epoch === this.#syncTarget.stream_epoch && !isAfter(this.#syncTarget.seq, cursor.seq))
      this.#syncTarget = null
  }
}
