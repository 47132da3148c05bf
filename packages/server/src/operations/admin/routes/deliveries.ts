import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminDelivery,
  AdminDeliveryDetailsResponse,
  AdminDeliveryListResponse,
  AdminDeliveryQuery,
  AdminDeliveryResponse,
  ensure,
} from '@lectern/protocol'
import { Type } from 'typebox'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { Delivery } from '../../../partners/ports.ts'
import { presentAttempt, presentDelivery } from '../../../partners/webhooks/present-delivery.ts'
import { readTimePage } from '../../../platform/paging.ts'
import type { PartnerAdministration } from '../partners.ts'
import { Id } from './common.ts'

const DeliveryParams = Type.Object({ delivery_id: Id })

/** Webhook deliveries, without their bodies, which are confidential to the partner. */
export const deliveryRoutes =
  ({ auth, partners }: { auth: Auth; partners: PartnerAdministration }): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/webhook-deliveries',
      {
        config,
        schema: {
          operationId: 'adminListDeliveries',
          tag: 'Administration',
          summary: 'List webhook deliveries',
          description: 'Deliveries to all partners, newest first, in pages, without contents.',
          errors: ['partner_module_disabled'],
          querystring: AdminDeliveryQuery,
          response: { 200: AdminDeliveryListResponse },
        },
      },
      async ({ query }) => {
        const { rows, next } = await readTimePage(
          query,
          page => partners.parts.lists.deliveries({ status: query.status }, page),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        )
        return { result: 200 as const, deliveries: rows.map(presentAdminDelivery), next }
      },
    )

    app.get(
      '/webhook-deliveries/:delivery_id',
      {
        config,
        schema: {
          operationId: 'adminGetDelivery',
          tag: 'Administration',
          summary: 'Get a webhook delivery with its attempts',
          description: 'Its content is confidential to the partner and never shown.',
          errors: ['delivery_not_found', 'partner_module_disabled'],
          params: DeliveryParams,
          response: { 200: AdminDeliveryDetailsResponse },
        },
      },
      async ({ params }) => {
        const { deliveries } = partners.parts
        const delivery = await deliveries.find(params.delivery_id)
        ensure(delivery, 'delivery_not_found')
        const history = await deliveries.attemptsOf(delivery.id)
        return {
          result: 200 as const,
          ...presentAdminDelivery(delivery),
          history: history.map(presentAttempt),
        }
      },
    )

    app.post(
      '/webhook-deliveries/:delivery_id/replay',
      {
        config: { ...config, audit: { action: 'webhook_delivery.replay', target: parameter('delivery_id') } },
        schema: {
          operationId: 'adminReplayDelivery',
          tag: 'Administration',
          summary: 'Send a webhook delivery again',
          description: 'With the same id and content, and all attempts.',
          errors: ['delivery_not_found', 'delivery_not_replayable', 'partner_module_disabled'],
          example: { response: { status: 'pending', attempts: 0, response_status: null } },
          params: DeliveryParams,
          response: { 200: AdminDeliveryResponse },
        },
      },
      async ({ params }) => ({
        result: 200 as const,
        ...presentAdminDelivery(await partners.parts.webhooks.replay(params.delivery_id)),
      }),
    )
  }

export const presentAdminDelivery = (delivery: Omit<Delivery, 'body'>): AdminDelivery => ({
  ...presentDelivery(delivery),
  service_account: delivery.serviceAccount,
})
