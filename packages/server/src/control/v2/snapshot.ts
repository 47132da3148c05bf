import { type JsonObject, utf8Length } from '@lectern/protocol/control'
import type { Stream } from '../../streams/stream.ts'
import { MAX_FRAME_BYTES } from '../limits/constants.ts'

/** Leaves room in the frame for what stands around the state. */
const PART_BYTES = MAX_FRAME_BYTES - 4096

/**
 * The parts of the stream's present state, each as the text of its envelope after the ids that differ from
 * reader to reader. Null when the state is not there any more.
 */
export function snapshotTails(stream: Stream): string[] | null {
  if (stream.snapshot?.seq === stream.seq) return stream.snapshot.tails
  const state = stream.state()
  if (!state) return null
  const parts = splitState(state)
  const tails = parts.map((part, part_index) => {
    const rest = {
      stream_id: stream.id,
      stream_epoch: stream.epoch,
      snapshot_seq: String(stream.seq),
      part_index,
      part_count: parts.length,
      state: part,
    }
    return JSON.stringify(rest).slice(1)
  })
  stream.snapshot = { seq: stream.seq, tails }
  return tails
}

/** Characters of the snapshot that was sent last; 0 when there is none. */
export const snapshotLength = ({ snapshot }: Stream): number =>
  snapshot?.tails.reduce((sum, { length }) => sum + length, 0) ?? 0

/**
 * Parts of at most `bytes` each: arrays may go on in the next part, every other property stands in one
 * (docs/control-protocol.md). A single value larger than that makes a part of its own.
 */
export function splitState(state: JsonObject, bytes = PART_BYTES): JsonObject[] {
  if (sizeOf(state) <= bytes) return [state]
  const parts: JsonObject[] = [{}]
  let left = bytes
  const place = (size: number, put: (part: JsonObject) => void) => {
    if (size > left && Object.keys(parts.at(-1) as JsonObject).length > 0) {
      parts.push({})
      left = bytes
    }
    left -= size
    put(parts.at(-1) as JsonObject)
  }
  for (const [name, value] of Object.entries(state)) {
    const around = name.length + 6 // "name":[],
    if (!Array.isArray(value)) {
      place(around + sizeOf(value), part => {
        part[name] = value
      })
      continue
    }
    // Also an empty one has to stand somewhere.
    place(around, part => {
      part[name] = []
    })
    for (const item of value)
      place(around + sizeOf(item), part => {
        part[name] = [...((part[name] as unknown[] | undefined) ?? []), item]
      })
  }
  return parts
}

const sizeOf = (value: unknown) => utf8Length(JSON.stringify(value))
