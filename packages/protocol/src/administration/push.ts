import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../schema.ts'

export const AdminPush = Type.Object({
  id: Type.String(),
  login: Type.String({ description: 'The account that is notified.' }),
  type: Type.String(),
  origin: Type.String({ description: 'The push service; empty for the native sender.' }),
  attempts: Type.Integer({ description: 'Finished attempts.' }),
  next_attempt_at_ms: Type.Integer(),
  response_status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
  error: Nullable(Type.String({ description: 'The error of the last attempt.' })),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  expires_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
})
export type AdminPush = Static<typeof AdminPush>

export const AdminPushQueueResponse = Type.Object({
  result: Result,
  enabled: Type.Boolean({ description: 'Push is configured.' }),
  pending: Type.Integer({ description: 'Notifications that were not delivered yet.' }),
  pushes: Type.Array(AdminPush, {
    description: 'The longest pending first, at most 200. Without their texts.',
  }),
})
export type AdminPushQueueResponse = Static<typeof AdminPushQueueResponse>
