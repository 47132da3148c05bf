import { type Static, Type } from 'typebox'
import { Counter, FreeObject, Generation, Id, strict } from '../scalars.ts'
import { Binding, Target } from '../shared.ts'

export const ControlEvent = Type.Object(
  {
    binding: Binding,
    event_id: Id,
    stream_id: Id,
    stream_epoch: Generation,
    seq: Generation,
    aggregate: Target,
    aggregate_version: Counter,
    name: Id,
    body: FreeObject,
    request_id: Type.Optional(Id),
    extensions: Type.Optional(FreeObject),
  },
  { ...strict, description: 'An event, at its position in a stream.' },
)
export type ControlEvent = Static<typeof ControlEvent>
