import { type Static, Type } from 'typebox'
import { Counter, Duration, FreeObject, Id, strict } from '../scalars.ts'
import { Binding, Target } from '../shared.ts'

export const ControlCommand = Type.Object(
  {
    binding: Binding,
    command_id: Id,
    target: Target,
    name: Id,
    body: FreeObject,
    ttl_ms: Duration,
    expected_version: Type.Optional(Counter),
    extensions: Type.Optional(FreeObject),
  },
  {
    ...strict,
    description: 'A command. command_id is an idempotency key: a repetition is not executed again.',
  },
)
export type ControlCommand = Static<typeof ControlCommand>
