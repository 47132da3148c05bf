import { type Static, Type } from 'typebox'
import { Id, strict } from '../scalars.ts'
import { Binding, ControlError, Cursor } from '../shared.ts'
import { CURSORS_MAX, ResumeToken } from './sync.ts'

export const SYNC_STATUSES_REFUSED = ['resume_rejected', 'retry_later'] as const

/** Rule ENV-3. */
export const ControlSyncResult = Type.Union(
  [
    Type.Object(
      {
        request_id: Id,
        status: Type.Literal('ready'),
        binding: Binding,
        resume_token: ResumeToken,
        streams: Type.Array(Cursor, { minItems: 1, maxItems: CURSORS_MAX }),
      },
      strict,
    ),
    Type.Object(
      {
        request_id: Id,
        status: Type.Enum(SYNC_STATUSES_REFUSED),
        binding: Type.Optional(Binding),
        error: ControlError,
      },
      strict,
    ),
  ],
  { description: 'The response to a control_sync.' },
)
export type ControlSyncResult = Static<typeof ControlSyncResult>
