import { type Static, Type } from 'typebox'
import { CONTROL_ERROR_CODES } from '../errors/control-codes.ts'
import { Counter, Duration, FreeObject, Generation, Id, strict } from './scalars.ts'

/** Objects that several envelopes share (docs/control-protocol.md#envelopes). */

export const Binding = Type.Object(
  { deployment_id: Id, tenant_id: Id, logical_connection_id: Id, binding_generation: Generation },
  { ...strict, description: 'The logical connection and its generation.' },
)
export type Binding = Static<typeof Binding>

export const TARGET_KINDS = ['account', 'conference', 'conference_session', 'chat', 'operation'] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export const Target = Type.Object(
  { kind: Type.Enum(TARGET_KINDS), id: Id },
  { ...strict, description: 'The object of a command or event.' },
)
export type Target = Static<typeof Target>

export const Cursor = Type.Object(
  { stream_id: Id, stream_epoch: Generation, seq: Counter },
  { ...strict, description: 'A position in a stream: the last received seq, 0 for none.' },
)
export type Cursor = Static<typeof Cursor>

export const MESSAGE_MAX = 2048

export const ControlError = Type.Object(
  {
    code: Type.Enum(CONTROL_ERROR_CODES),
    message: Type.Optional(
      Type.String({ maxLength: MESSAGE_MAX, description: 'For people; wording may change.' }),
    ),
    retry_after_ms: Type.Optional(Duration),
    extensions: Type.Optional(FreeObject),
  },
  { ...strict, description: 'The reason of a rejection; docs/control-protocol.md lists the codes.' },
)
export type ControlError = Static<typeof ControlError>

export const MEDIA_SCOPES = ['audio', 'video', 'audio-subscribe', 'video-subscribe'] as const

export const MediaRef = Type.Object(
  {
    conference_session_id: Id,
    participant_instance_id: Id,
    publication_id: Id,
    endpoint_id: Id,
    negotiation_id: Id,
    rtc_node_id: Id,
    route_generation: Generation,
    scope: Type.Enum(MEDIA_SCOPES),
  },
  { ...strict, description: 'Identifies a negotiation, its publication and its route.' },
)
export type MediaRef = Static<typeof MediaRef>
