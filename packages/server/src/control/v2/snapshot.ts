import { type JsonObject, utf8Length } from '@lectern/protocol/control'
import type { Stream } from '../../streams/stream.ts'
import { MAX_FRAME_BYTES } from '../limits/constants.ts'
import { encodeTail } from './envelopes.ts'

/** Leaves room in the frame for what surrounds the state. */
const PART_BYTES = MAX_FRAME_BYTES - 4096

/** Encoded once for all who subscribe before the next event. */
const newest = new WeakMap<Stream, { seq: number; tails: string[] }>()

/**
 * The parts of the present state of a stream, each as the text of its envelope after the ids that differ between
 * receivers. Null when there is no state any more.
 */
export function snapshotTails(stream: Stream): string[] | null {
  const known = newest.get(stream)
  if (known?.seq === stream.seq) return known.tails
  const state = stream.state()
  if (!state) return null
  const parts = splitState(state as JsonObject)
  const tails = parts.map((part, part_index) =>
    encodeTail({
      stream_id: stream.id,
      stream_epoch: stream.epoch,
      snapshot_seq: String(stream.seq),
      part_index,
      part_count: parts.length,
      state: part,
    }),
  )
  newest.set(stream, { seq: stream.seq, tails })
  return tails
}

/** Events after a snapshot that are sent with it rather than encoding the state again. */
const MISSED_MAX_CHARACTERS = 131_072

/**
 * The state of a page, as parts of a snapshot that may be older and the events after it: many may open a page at the same
 * time while others draw on it (rule BOARD-3).
 */
export function pageTails(stream: Stream): { snapshot: string[]; events: string[] } | null {
  const known = newest.get(stream)
  const events = known ? stream.since(known.seq) : null
  const characters = events?.reduce((sum, { length }) => sum + length, 0) ?? 0
  if (known && events && characters <= MISSED_MAX_CHARACTERS) return { snapshot: known.tails, events }
  const snapshot = snapshotTails(stream)
  return snapshot && { snapshot, events: [] }
}

/** Characters of the last snapshot; 0 before the first one. */
export const snapshotLength = (stream: Stream): number =>
  newest.get(stream)?.tails.reduce((sum, { length }) => sum + length, 0) ?? 0

/**
 * Parts of at most `bytes` each: an array may continue in the next part, every other property is in exactly one
 * (docs/control-protocol.md). A single value larger than that has a part of its own.
 */
export function splitState(state: JsonObject, bytes = PART_BYTES): JsonObject[] {
  if (sizeOf(state) <= bytes) return [state]
  const parts: JsonObject[] = []
  let part: JsonObject = {}
  let left = 0
  /** The part that the next value of that size belongs to. */
  const partFor = (size: number): JsonObject => {
    if (parts.length === 0 || (size > left && Object.keys(part).length > 0)) {
      part = {}
      parts.push(part)
      left = bytes
    }
    left -= size
    return part
  }
  for (const [name, value] of Object.entries(state)) {
    const overhead = name.length + 6 // "name":[],
    if (!Array.isArray(value)) {
      partFor(overhead + sizeOf(value))[name] = value
      continue
    }
    // An empty array has to be in some part, too.
    let [target, items] = [partFor(overhead), [] as unknown[]]
    target[name] = items
    for (const item of value) {
      const next = partFor(overhead + sizeOf(item))
      if (next !== target) {
        items = []
        target = next
        target[name] = items
      }
      items.push(item)
    }
  }
  return parts
}

const sizeOf = (value: unknown) => utf8Length(JSON.stringify(value))
