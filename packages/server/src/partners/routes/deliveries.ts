import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  DeliveryDetailsResponse,
  DeliveryListResponse,
  DeliveryParams,
  DeliveryQuery,
  DeliveryResponse,
} from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { readTimePage } from '../../platform/paging.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../tool-limits.ts'
import type { OwnDeliveries } from '../webhooks/own-deliveries.ts'
import { presentAttempt, presentDelivery } from '../webhooks/present-delivery.ts'

interface DeliveryRoutesOptions {
  auth: AuthPolicy<Caller>
  deliveries: OwnDeliveries
  limits: ToolLimits
}

/** Deliveries to the webhook of the partner (docs/partner-api.md#deliveries). */
export const deliveryRoutes =
  ({ auth, deliveries, limits }: DeliveryRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.post(
      '/webhook/test',
      {
        config,
        schema: {
          operationId: 'sendTestEvent',
          tag: 'Webhook',
          summary: 'Send a test event',
          description:
            'Sends an event of the type `webhook.test` like any other, whatever `events` is, and returns its delivery.',
          errors: ['webhook_not_configured', 'webhook_disabled', 'rate_limited'],
          example: {
            response: {
              event: 'webhook.test',
              subject: 'test:5f0c2e7d9b31a846',
              status: 'pending',
              attempts: 0,
              response_status: null,
              next_attempt_at_ms: 1_914_479_172_301,
            },
          },
          response: { 200: DeliveryResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.test)
        const { name } = caller
        return { result: 200 as const, ...presentDelivery(await deliveries.sendTest(name)) }
      },
    )

    app.get(
      '/webhook/deliveries',
      {
        config,
        schema: {
          operationId: 'listDeliveries',
          tag: 'Webhook',
          summary: 'List deliveries',
          description: 'The deliveries to your service account, newest first, in pages.',
          errors: ['rate_limited'],
          querystring: DeliveryQuery,
          response: { 200: DeliveryListResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { name } = caller
        const { query } = request
        const { rows, next } = await readTimePage(
          query,
          page => deliveries.list(name, { status: query.status }, page),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        )
        return { result: 200 as const, deliveries: rows.map(presentDelivery), next }
      },
    )

    app.get(
      '/webhook/deliveries/:delivery_id',
      {
        config,
        schema: {
          operationId: 'getDelivery',
          tag: 'Webhook',
          summary: 'Get a delivery with its attempts',
          description: 'A delivery with the event that it carries, and its newest 20 attempts.',
          errors: ['delivery_not_found', 'rate_limited'],
          params: DeliveryParams,
          response: { 200: DeliveryDetailsResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const { name } = caller
        const { delivery, attempts } = await deliveries.get(name, request.params.delivery_id)
        return {
          result: 200 as const,
          ...presentDelivery(delivery),
          history: attempts.map(presentAttempt),
          payload: JSON.parse(delivery.body) as Record<string, unknown>,
        }
      },
    )

    app.post(
      '/webhook/deliveries/:delivery_id/replay',
      {
        config,
        schema: {
          operationId: 'replayDelivery',
          tag: 'Webhook',
          summary: 'Send a delivery again',
          description: 'Sends it again with the same id and content, and all attempts, whatever its status.',
          errors: ['delivery_not_found', 'delivery_not_replayable', 'rate_limited'],
          example: {
            response: {
              status: 'pending',
              attempts: 0,
              response_status: null,
              next_attempt_at_ms: 1_914_479_172_301,
            },
          },
          params: DeliveryParams,
          response: { 200: DeliveryResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.replay)
        const { name } = caller
        const replayed = await deliveries.replay(name, request.params.delivery_id)
        return { result: 200 as const, ...presentDelivery(replayed) }
      },
    )
  }
