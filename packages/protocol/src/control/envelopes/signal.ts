import { type Static, Type } from 'typebox'
import { Duration, FreeObject, Generation, Id, strict } from '../scalars.ts'
import { Binding } from '../shared.ts'

export const ControlSignal = Type.Object(
  {
    binding: Binding,
    stream_id: Id,
    stream_epoch: Generation,
    source_id: Id,
    signal_seq: Generation,
    ttl_ms: Duration,
    name: Id,
    body: FreeObject,
  },
  { ...strict, description: 'Transient information; may be lost.' },
)
export type ControlSignal = Static<typeof ControlSignal>
