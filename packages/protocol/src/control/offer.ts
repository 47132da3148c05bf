import { type Static, Type } from 'typebox'
import { Duration, Id, strict } from './scalars.ts'

/** The login extensions that negotiate the protocol (docs/control-protocol.md#login). */

export const CONTROL_PROFILE = 'svc.control.v2.core'

export const ProtocolOffer = Type.Object(
  {
    versions: Type.Array(Type.Enum([1, 2]), {
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      contains: { const: 2 },
    }),
    require_version: Type.Enum([1, 2], { description: 'The oldest acceptable version.' }),
    profiles: Type.Array(Type.Literal(CONTROL_PROFILE), { minItems: 1, uniqueItems: true }),
  },
  { ...strict, description: 'The versions that the client supports. Without an offer the session is v1.' },
)
export type ProtocolOffer = Static<typeof ProtocolOffer>

export const ProtocolLimits = Type.Object(
  {
    max_frame_bytes: Type.Integer({ minimum: 1024, maximum: 16_777_216, description: 'Bytes of UTF-8.' }),
    max_inflight_commands: Type.Integer({ minimum: 1, maximum: 1024 }),
    max_sync_parts: Type.Integer({ minimum: 1, maximum: 4096 }),
    max_sync_bytes: Type.Integer({ minimum: 1024, maximum: 268_435_456 }),
    sync_timeout_ms: Duration,
    command_retry_window_ms: Duration,
    resume_grace_ms: Duration,
  },
  strict,
)
export type ProtocolLimits = Static<typeof ProtocolLimits>

export const ProtocolSelection = Type.Object(
  {
    version: Type.Literal(2),
    profile: Type.Literal(CONTROL_PROFILE),
    deployment_id: Id,
    tenant_id: Id,
    user_id: Id,
    auth_session_id: Id,
    transport_id: Id,
    limits: ProtocolLimits,
  },
  {
    ...strict,
    description: 'The selection of the server; from then on every frame is a control v2 envelope.',
  },
)
export type ProtocolSelection = Static<typeof ProtocolSelection>
