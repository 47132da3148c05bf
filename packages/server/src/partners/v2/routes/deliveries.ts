import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  EndpointDeliveryDetails,
  EndpointDeliveryList,
  EndpointDeliveryParams,
  EndpointDeliveryQuery,
  EndpointDeliveryResponse,
  EndpointParams,
  isoTimeToMs,
  ReplayRequest,
  ReplayResponse,
} from '@lectern/protocol'
import { bodyFields } from '../../../http/audit-rule.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import { presentAttempt } from '../../webhooks/present-delivery.ts'
import type { Endpoints } from '../events/endpoints.ts'
import { presentEndpointDelivery } from '../events/present.ts'
import { idempotencyKey } from '../idempotency.ts'
import { auditedEndpoint, deliveryOf } from './audited.ts'
import { withoutSpeech } from './for-owners.ts'
import { orderedPageOf } from './page.ts'

interface EndpointDeliveryRoutesOptions {
  auth: PartnerAuth
  endpoints: Endpoints
  limits: ToolLimits
}

const tag = 'Endpoints'
const path = { endpoint_id: 'end_5f0c2e7d9b31a84600d1c2e3', delivery_id: 'dlv_5f0c2e7d9b31a84600d1c2e3' }
const response = { type: 'recording.ready', status: 'delivered' }
const withKey = { byHandler: { headers: idempotencyKey } }
const keyErrors = ['idempotency_key_reused', 'idempotency_key_in_use'] as const

/** Deliveries of events to an endpoint (docs/partner-api-v2.md#endpoints). */
export const endpointDeliveryRoutes =
  ({
    auth: { serviceOrOwner: auth },
    endpoints,
    limits,
  }: EndpointDeliveryRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const audited = auditedEndpoint(auth)

    app.post(
      '/endpoints/:endpoint_id/test',
      {
        config: { ...config, audit: audited('endpoint.test') },
        schema: {
          operationId: 'testEndpoint',
          tag,
          summary: 'Send a test event to an endpoint',
          description:
            'Sends an event of the type `webhook.test` like any other. It is in no list of events.',
          errors: ['endpoint_not_found', 'endpoint_disabled', 'rate_limited', ...keyErrors],
          example: { path, response: { ...response, type: 'webhook.test' } },
          ...withKey,
          params: EndpointParams,
          response: { 200: EndpointDeliveryResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.test)
        const sent = await endpoints.sendTest(caller, request.params.endpoint_id)
        return { result: 200 as const, ...presentEndpointDelivery(sent) }
      },
    )

    app.get(
      '/endpoints/:endpoint_id/deliveries',
      {
        config,
        schema: {
          operationId: 'listEndpointDeliveries',
          tag,
          summary: 'List the deliveries of an endpoint',
          description: 'Oldest first or in the `order`, in pages. Finished ones are kept for 30 days.',
          errors: ['endpoint_not_found', 'rate_limited'],
          example: { path },
          params: EndpointParams,
          querystring: EndpointDeliveryQuery,
          response: { 200: EndpointDeliveryList },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const page = orderedPageOf(request.query)
        const found = await endpoints.listDeliveries(
          caller,
          request.params.endpoint_id,
          request.query.status,
          { ...page, limit: page.limit + 1 },
        )
        const shown = found.slice(0, page.limit)
        return {
          result: 200 as const,
          deliveries: shown.map(presentEndpointDelivery),
          next: found.length > page.limit ? (shown.at(-1)?.seq ?? null) : null,
        }
      },
    )

    app.get(
      '/endpoints/:endpoint_id/deliveries/:delivery_id',
      {
        config,
        schema: {
          operationId: 'getEndpointDelivery',
          tag,
          summary: 'Get a delivery of an endpoint',
          description: 'With its event, and its newest 20 attempts.',
          errors: ['endpoint_not_found', 'delivery_not_found', 'rate_limited'],
          example: { path, response },
          params: EndpointDeliveryParams,
          response: { 200: EndpointDeliveryDetails },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { endpoint_id, delivery_id } = request.params
        const delivery = await endpoints.delivery(caller, endpoint_id, delivery_id)
        return {
          result: 200 as const,
          ...presentEndpointDelivery(delivery),
          history: delivery.history.map(presentAttempt),
          payload: withoutSpeech(caller, JSON.parse(delivery.body)),
        }
      },
    )

    app.post(
      '/endpoints/:endpoint_id/deliveries/:delivery_id/replay',
      {
        config: { ...config, audit: audited('endpoint.replay', { details: deliveryOf }) },
        schema: {
          operationId: 'replayEndpointDelivery',
          tag,
          summary: 'Send an event to an endpoint again',
          description: 'Sends it with the same id and content, and all attempts, whatever its status.',
          errors: [
            'endpoint_not_found',
            'delivery_not_found',
            'endpoint_disabled',
            'delivery_not_replayable',
            'rate_limited',
            ...keyErrors,
          ],
          example: { path, response: { ...response, status: 'pending' } },
          ...withKey,
          params: EndpointDeliveryParams,
          response: { 200: EndpointDeliveryResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.replay)
        const { endpoint_id, delivery_id } = request.params
        const replayed = await endpoints.replay(caller, endpoint_id, delivery_id)
        return { result: 200 as const, ...presentEndpointDelivery(replayed) }
      },
    )

    app.post(
      '/endpoints/:endpoint_id/replay',
      {
        config: { ...config, audit: audited('endpoint.replay', { details: bodyFields('since') }) },
        schema: {
          operationId: 'replayFailedDeliveries',
          tag,
          summary: 'Send all failed events again',
          description:
            'Those whose events were stored since that time. The order may differ from that of the events.',
          errors: ['endpoint_not_found', 'endpoint_disabled', 'rate_limited', ...keyErrors],
          example: { path },
          ...withKey,
          params: EndpointParams,
          body: ReplayRequest,
          response: { 200: ReplayResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.test)
        const sinceMs = isoTimeToMs(request.body.since)
        const replayed = await endpoints.replayFailed(caller, request.params.endpoint_id, sinceMs)
        return { result: 200 as const, replayed }
      },
    )
  }
