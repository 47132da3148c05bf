import { type Static, Type } from 'typebox'
import { Nullable, Result, Text } from '../../schema.ts'
import { DELIVERY_STATES, DeliveryHistory } from '../deliveries.ts'
import { WebhookSecret } from '../webhook.ts'
import { OverlapSeconds } from '../webhook-secret.ts'
import { NextAfter, OrderedQuery, UtcTime } from './conventions.ts'
import { PARTNER_EVENTS } from './events.ts'

/** Endpoints of a service account. */
export const ENDPOINTS_MAX = 20

export const EndpointParams = Type.Object({
  endpoint_id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})
export const EndpointDeliveryParams = Type.Object({
  ...EndpointParams.properties,
  delivery_id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})

const Url = Type.String({ minLength: 1, maxLength: 2048, format: 'text' })
const Events = Type.Array(Type.Enum(PARTNER_EVENTS), {
  minItems: 1,
  uniqueItems: true,
  maxItems: PARTNER_EVENTS.length,
})
const Description = Nullable(Text(500))

export const EndpointRequest = Type.Object({
  url: Url,
  secret: Type.Optional(WebhookSecret),
  events: Type.Optional(Events),
  enabled: Type.Optional(Type.Boolean()),
  description: Type.Optional(Description),
})
export type EndpointRequest = Static<typeof EndpointRequest>

export const EndpointChange = Type.Partial(EndpointRequest)
export type EndpointChange = Static<typeof EndpointChange>

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(Type.String({ description: '`failing`: 5 days without a success.' })),
  description: Description,
  previous_secret_expires_at: Nullable(UtcTime('While the secret is being replaced.')),
  created_at: UtcTime('When it was added.'),
}

export const Endpoint = Type.Object(endpoint)
export type Endpoint = Static<typeof Endpoint>
export const EndpointResponse = Type.Object({ result: Result, ...endpoint })
export const NewEndpointResponse = Type.Object({
  result: Result,
  ...endpoint,
  secret: Type.String({ description: 'Shown only in this answer.' }),
})
export const EndpointListResponse = Type.Object({ result: Result, endpoints: Type.Array(Endpoint) })
export type EndpointListResponse = Static<typeof EndpointListResponse>

export const EndpointRotateRequest = Type.Object({
  secret: Type.Optional(WebhookSecret),
  overlap_seconds: OverlapSeconds,
})

const delivery = {
  id: Type.String(),
  event_id: Type.String(),
  type: Type.String(),
  status: Type.Enum(DELIVERY_STATES),
  attempts: Type.Integer({ description: 'Finished attempts.' }),
  next_attempt_at: Nullable(UtcTime('Null: no attempt follows.')),
  response_status: Nullable(Type.Integer()),
  error: Nullable(Type.String({ description: 'The error of the last attempt.' })),
  created_at: UtcTime('When the event was stored.'),
}

export const EndpointDelivery = Type.Object(delivery)
export type EndpointDelivery = Static<typeof EndpointDelivery>
export const EndpointDeliveryResponse = Type.Object({ result: Result, ...delivery })
export const EndpointDeliveryDetails = Type.Object({
  result: Result,
  ...delivery,
  history: DeliveryHistory,
  payload: Type.Record(Type.String(), Type.Unknown(), { description: 'The event.' }),
})
export type EndpointDeliveryDetails = Static<typeof EndpointDeliveryDetails>
export const EndpointDeliveryQuery = Type.Object({
  ...OrderedQuery,
  status: Type.Optional(Type.Enum(DELIVERY_STATES)),
})
export const EndpointDeliveryList = Type.Object({
  result: Result,
  deliveries: Type.Array(EndpointDelivery, { description: 'In the `order`.' }),
  next: NextAfter,
})

export const ReplayRequest = Type.Object({
  since: Type.String({
    maxLength: 64,
    format: 'zoned-time',
    description: 'Failed deliveries of events that were stored at this time or later are sent again.',
  }),
})
export const ReplayResponse = Type.Object({
  result: Result,
  replayed: Type.Integer({ description: 'Failed deliveries that are sent again.' }),
})
