import { type Static, Type } from 'typebox'
import { Counter, FreeObject, Id, strict } from '../scalars.ts'
import { Binding, ControlError, Target } from '../shared.ts'

export const RESULT_STATUSES_DONE = ['received', 'committed', 'applied'] as const
export const RESULT_STATUSES_REFUSED = ['rejected', 'apply_failed', 'outcome_unknown'] as const

const required = { binding: Binding, command_id: Id }
const optional = {
  aggregate: Type.Optional(Target),
  aggregate_version: Type.Optional(Counter),
  data: Type.Optional(FreeObject),
  extensions: Type.Optional(FreeObject),
}
const options = { ...strict, dependentRequired: { aggregate_version: ['aggregate'] } }

/** Rule ENV-1: exactly these statuses have an error. */
export const ControlResult = Type.Union(
  [
    Type.Object({ ...required, status: Type.Enum(RESULT_STATUSES_DONE), ...optional }, options),
    Type.Object(
      { ...required, status: Type.Enum(RESULT_STATUSES_REFUSED), error: ControlError, ...optional },
      options,
    ),
  ],
  { description: 'The result of a command. Every status except `received` is final.' },
)

/** aggregate_version requires aggregate: the schema has `dependentRequired`, which TypeBox's types lack. */
type AggregatePair =
  | { aggregate: Target; aggregate_version?: string }
  | { aggregate?: never; aggregate_version?: never }

export type ControlResult = Static<typeof ControlResult> & AggregatePair
