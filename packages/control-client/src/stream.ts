import type {
  ControlEvent,
  ControlSnapshot,
  ControlSync,
  Cursor,
  ProtocolLimits,
} from '@lectern/protocol/control/client'
import { isAfter, next } from './counter.ts'
import { Snapshots } from './snapshots.ts'
import type { StreamEvents } from './streams.ts'

/**
 * `early` are events that came before the state that they change.
 *
 * - new: there is no state yet; a snapshot will come.
 * - following: every event up to the cursor is in the state.
 * - broken: something after the cursor is missing. A replay from the cursor (resume) heals that, or a snapshot.
 */
type Position =
  | { is: 'new'; early: ControlEvent[] }
  | { is: 'following'; cursor: Cursor }
  | { is: 'broken'; cursor: Cursor; early: ControlEvent[] }

/** One stream: puts snapshots and events in order, and notices what is missing (rules C2 to C8). */
export class Stream {
  #position: Position = { is: 'new', early: [] }
  /** Where the last sync said that the stream ends; until then the sync is not over. */
  #goal: Cursor | null = null
  #snapshots = new Snapshots()
  #id: string
  #events: StreamEvents

  constructor(id: string, events: StreamEvents) {
    this.#id = id
    this.#events = events
  }

  get cursor(): Cursor | null {
    return this.#position.is === 'new' ? null : this.#position.cursor
  }

  get settled(): boolean {
    return this.#goal === null
  }

  get broken(): boolean {
    return this.#position.is === 'broken'
  }

  begin(end: Cursor, mode: ControlSync['mode']): void {
    this.#snapshots.clear()
    this.#goal = end
    const { cursor } = this
    const continues = cursor?.stream_epoch === end.stream_epoch && !isAfter(cursor.seq, end.seq)
    // What a fresh sync brings is all there is: a state from before it counts for nothing.
    if (!cursor || !continues || mode === 'fresh') this.#position = { is: 'new', early: [] }
    // The server replays from the cursor that it was given, and sends nothing where that is the end already.
    else if (mode === 'resume' || cursor.seq === end.seq) this.#position = { is: 'following', cursor }
    this.#reachGoal()
  }

  snapshot(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): boolean {
    const assembly = this.#snapshots.add(part, bytes, limits)
    if (assembly.is === 'too-large') return false
    if (assembly.is === 'incomplete') return true
    const cursor = { stream_id: this.#id, stream_epoch: part.stream_epoch, seq: part.snapshot_seq }
    if (this.#isBehind(cursor)) return true
    const early = this.#position.is === 'following' ? [] : this.#position.early
    this.#position = { is: 'following', cursor }
    this.#events.replaced(this.#id, assembly.state)
    this.#reachGoal()
    for (const event of early) this.event(event)
    return true
  }

  event(event: ControlEvent): void {
    const position = this.#position
    if (position.is !== 'following') return void position.early.push(event)
    const { cursor } = position
    if (this.#isBehind(event)) return
    if (event.stream_epoch !== cursor.stream_epoch || event.seq !== next(cursor.seq)) {
      this.#position = { is: 'broken', cursor, early: [event] }
      return
    }
    this.#position = { is: 'following', cursor: { ...cursor, seq: event.seq } }
    this.#events.happened(event)
    this.#reachGoal()
  }

  /** Nothing new to this stream: of an older epoch, or already in the state. */
  #isBehind({ stream_epoch, seq }: Pick<Cursor, 'stream_epoch' | 'seq'>): boolean {
    const { cursor } = this
    if (!cursor) return false
    if (stream_epoch !== cursor.stream_epoch) return isAfter(cursor.stream_epoch, stream_epoch)
    return !isAfter(seq, cursor.seq)
  }

  #reachGoal(): void {
    const position = this.#position
    if (!this.#goal || position.is !== 'following') return
    const { cursor } = position
    if (cursor.stream_epoch === this.#goal.stream_epoch && !isAfter(this.#goal.seq, cursor.seq))
      this.#goal = null
  }
}
