import { type Static, Type } from 'typebox'
import { Counter, FreeObject, Generation, Id, strict } from '../scalars.ts'
import { Binding } from '../shared.ts'

export const SNAPSHOT_PARTS_MAX = 4096

export const ControlSnapshot = Type.Object(
  {
    request_id: Id,
    binding: Binding,
    stream_id: Id,
    stream_epoch: Generation,
    snapshot_id: Id,
    snapshot_seq: Counter,
    part_index: Type.Integer({
      minimum: 0,
      maximum: SNAPSHOT_PARTS_MAX - 1,
      description: 'Less than part_count, which JSON Schema cannot express.',
    }),
    part_count: Type.Integer({ minimum: 1, maximum: SNAPSHOT_PARTS_MAX }),
    state: FreeObject,
  },
  { ...strict, description: 'A part of the state of a stream after snapshot_seq.' },
)
export type ControlSnapshot = Static<typeof ControlSnapshot>
