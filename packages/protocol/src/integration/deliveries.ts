import { type Static, Type } from 'typebox'
import { Next, TimePageQuery } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const

export const Delivery = Type.Object({
  id: Type.String({ description: 'The `id` of the event.' }),
  event: Type.String({ description: 'The `type` of the event.' }),
  subject: Type.String({ description: 'The subject of the event, e.g. `recording:<job id>`.' }),
  status: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer({ description: 'Finished attempts.' }),
  next_attempt_at_ms: Nullable(Type.Integer({ description: 'Unix milliseconds; null: no attempt follows.' })),
  response_status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
  error: Nullable(Type.String({ description: 'The error of the last attempt.' })),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  updated_at: Type.Integer({ description: 'Unix seconds; of the last attempt.' }),
})
export type Delivery = Static<typeof Delivery>

export const DeliveryAttempt = Type.Object({
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  duration_ms: Nullable(
    Type.Integer({ description: 'Null: the server stopped before the outcome was stored.' }),
  ),
  response_status: Nullable(Type.Integer({ description: 'HTTP status.' })),
  error: Nullable(
    Type.String({ description: 'As in docs/webhooks.md; `INTERRUPTED` if the server stopped meanwhile.' }),
  ),
  excerpt: Nullable(
    Type.String({
      description:
        'The beginning of the response to a failed attempt, at most 500 characters. `***` stands for secrets and for ' +
        'passages of the delivery.',
    }),
  ),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const DeliveryHistory = Type.Array(DeliveryAttempt, {
  description: 'The newest 20 attempts, newest first, those before a replay included.',
})

export const DeliveryParams = Type.Object({
  delivery_id: Type.String({
    minLength: 1,
    maxLength: 128,
    format: 'text',
    description: 'The `id` of the event.',
  }),
})

export const DeliveryQuery = Type.Object({
  ...TimePageQuery,
  status: Type.Optional(Type.Enum(DELIVERY_STATES)),
})

export const DeliveryListResponse = Type.Object({
  result: Result,
  deliveries: Type.Array(Delivery, { description: 'Newest first.' }),
  next: Next,
})
export type DeliveryListResponse = Static<typeof DeliveryListResponse>

export const DeliveryResponse = Type.Object({ result: Result, ...Delivery.properties })
export type DeliveryResponse = Static<typeof DeliveryResponse>

export const DeliveryDetailsResponse = Type.Object({
  result: Result,
  ...Delivery.properties,
  history: DeliveryHistory,
  payload: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The event: every attempt has this body.',
  }),
})
export type DeliveryDetailsResponse = Static<typeof DeliveryDetailsResponse>
