import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../schema.ts'
import { Next, TimePageQuery } from './paging.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const

export const AdminDelivery = Type.Object({
  id: Type.String(),
  service_account: Type.String(),
  event: Type.String(),
  subject: Type.String({ description: 'What the event is about, e.g. `recording:<job id>`.' }),
  status: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer({ description: 'Finished attempts.' }),
  next_attempt_at_ms: Nullable(Type.Integer()),
  response_status: Nullable(Type.Integer({ description: 'HTTP status of the last attempt.' })),
  error: Nullable(Type.String({ description: 'Of the last attempt.' })),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  updated_at: Type.Integer({ description: 'Unix seconds; of the last attempt.' }),
})
export type AdminDelivery = Static<typeof AdminDelivery>

export const AdminDeliveryQuery = Type.Object({
  ...TimePageQuery,
  status: Type.Optional(Type.Enum(DELIVERY_STATES)),
})

export const AdminDeliveryListResponse = Type.Object({
  result: Result,
  deliveries: Type.Array(AdminDelivery, { description: 'Newest first.' }),
  next: Next,
})
export type AdminDeliveryListResponse = Static<typeof AdminDeliveryListResponse>

export const AdminDeliveryResponse = Type.Object({ result: Result, ...AdminDelivery.properties })

export const AdminDeliveryAttempt = Type.Object({
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
export type AdminDeliveryAttempt = Static<typeof AdminDeliveryAttempt>

export const AdminDeliveryDetailsResponse = Type.Object({
  result: Result,
  ...AdminDelivery.properties,
  history: Type.Array(AdminDeliveryAttempt, {
    description: 'The newest 20 attempts, newest first, those before a replay included.',
  }),
})
export type AdminDeliveryDetailsResponse = Static<typeof AdminDeliveryDetailsResponse>
