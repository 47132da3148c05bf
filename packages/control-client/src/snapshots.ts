import type { ControlSnapshot, JsonObject, ProtocolLimits } from '@lectern/protocol/control/client'

/** A snapshot in the making: the parts of one snapshot_id, in any order. */
interface Draft {
  id: string
  partCount: number
  parts: Map<number, JsonObject>
  bytes: number
}

export type Assembly = { is: 'incomplete' } | { is: 'complete'; state: JsonObject } | { is: 'too-large' }

/** Puts the snapshots of one stream together (contract §2.9 "control_snapshot", rules C5 and C6). */
export class Snapshots {
  #draft: Draft | null = null
  /** Snapshots that are complete or were replaced; what still comes of them says nothing new. */
  #retired = new Set<string>()

  add(part: ControlSnapshot, bytes: number, limits: ProtocolLimits): Assembly {
    const { snapshot_id, part_index, part_count, state } = part
    if (this.#retired.has(snapshot_id)) return { is: 'incomplete' }
    const draft = this.#draftOf(snapshot_id, part_count)
    if (!draft.parts.has(part_index)) draft.bytes += bytes
    draft.parts.set(part_index, state)
    if (part_count > limits.max_sync_parts || draft.bytes > limits.max_sync_bytes) return { is: 'too-large' }
    if (draft.parts.size < draft.partCount) return { is: 'incomplete' }
    this.#retire(draft)
    return { is: 'complete', state: join(draft) }
  }

  /** Another sync begins: its snapshots have new ids. */
  clear(): void {
    this.#draft = null
    this.#retired.clear()
  }

  #draftOf(id: string, partCount: number): Draft {
    if (this.#draft?.id === id) return this.#draft
    if (this.#draft) this.#retire(this.#draft)
    this.#draft = { id, partCount, parts: new Map(), bytes: 0 }
    return this.#draft
  }

  #retire(draft: Draft): void {
    this.#retired.add(draft.id)
    this.#draft = null
  }
}

/** Arrays of the same name are joined in the order of the parts; anything else stands in one part only. */
function join({ parts }: Draft): JsonObject {
  const whole: JsonObject = {}
  const inOrder = [...parts].sort(([a], [b]) => a - b)
  for (const [, part] of inOrder)
    for (const [name, value] of Object.entries(part)) {
      const before = whole[name]
      whole[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
    }
  return whole
}
