import { type Static, Type } from 'typebox'
import { CONTROL_ERROR_CODES } from '../errors/control-codes.ts'
import { Duration, FreeObject, Id, strict } from './scalars.ts'
import { MESSAGE_MAX, Target } from './shared.ts'

/** The v1 session: a login without an offer (docs/control-protocol.md#v1-sessions). It has the same command table as v2 and no state. */

export const V1Request = Type.Object(
  { id: Id, command: Id, target: Type.Optional(Target), params: FreeObject },
  strict,
)
export type V1Request = Static<typeof V1Request>

export const V1Response = Type.Union([
  Type.Object({ id: Id, result: FreeObject }, strict),
  Type.Object(
    {
      id: Id,
      error: Type.Object(
        {
          code: Type.Enum(CONTROL_ERROR_CODES),
          message: Type.String({ maxLength: MESSAGE_MAX }),
          retry_after_ms: Type.Optional(Duration),
        },
        strict,
      ),
    },
    strict,
  ),
])
export type V1Response = Static<typeof V1Response>

export const V1Event = Type.Object({ event: Id, data: FreeObject }, strict)
export type V1Event = Static<typeof V1Event>
