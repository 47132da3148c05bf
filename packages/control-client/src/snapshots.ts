import type { ControlSnapshot, JsonObject, ProtocolLimits } from '@lectern/protocol/control/client'

/** The received parts of one snapshot_id, in any order. */
interface PartialSnapshot {
  id: string
  partCount: number
  parts: Map<number, JsonObject>
  bytes: number
}

export type Assembly = { is: 'incomplete' } | { is: 'complete'; state: JsonObject } | { is: 'too-large' }

/** Assembles the snapshots of one stream from their parts (rules C5 and C6). */
export class SnapshotAssembler {
  #partial: PartialSnapshot | null = null
  /** Snapshots that are complete or were replaced; their late parts are ignored. */
  #retired = new Set<string>()

  add(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): Assembly {
    const { snapshot_id, part_index, part_count, state } = part
    if (this.#retired.has(snapshot_id)) return { is: 'incomplete' }
    const partial = this.#partialOf(snapshot_id, part_count)
    if (!partial.parts.has(part_index)) partial.bytes += bytes
    partial.parts.set(part_index, state)
    if (part_count > limits.max_sync_parts || partial.bytes > limits.max_sync_bytes)
      return { is: 'too-large' }
    if (partial.parts.size < partial.partCount) return { is: 'incomplete' }
    this.#retire(partial)
    return { is: 'complete', state: join(partial) }
  }

  /** Drops incomplete snapshots before a new sync, whose snapshots have new ids. */
  clear(): void {
    this.#partial = null
    this.#retired.clear()
  }

  #partialOf(id: string, partCount: number): PartialSnapshot {
    if (this.#partial?.id === id) return this.#partial
    if (this.#partial) this.#retire(this.#partial)
    this.#partial = { id, partCount, parts: new Map(), bytes: 0 }
    return this.#partial
  }

  #retire(partial: PartialSnapshot): void {
    this.#retired.add(partial.id)
    this.#partial = null
  }
}

/** Joins arrays of the same name in the order of the parts; every other property occurs in one part only. */
function join({ parts }: PartialSnapshot): JsonObject {
  const state: JsonObject = {}
  const inOrder = [...parts].sort(([a], [b]) => a - b)
  for (const [, part] of inOrder)
    for (const [name, value] of Object.entries(part)) {
      const previous = state[name]
      state[name] = Array.isArray(previous) && Array.isArray(value) ? [...previous, ...value] : value
    }
  return state
}
