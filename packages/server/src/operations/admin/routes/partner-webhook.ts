import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminDeliveryResponse,
  AdminWebhookRotatedResponse,
  AdminWebhookRotateRequest,
  WebhookResponse,
} from '@lectern/protocol'
import { type AuditRule, bodyFields, parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import type { WebhookSubscription } from '../../../partners/ports.ts'
import { presentWebhook } from '../../../partners/present.ts'
import { makeWebhookSecret } from '../../../partners/webhooks/webhooks.ts'
import type { PartnerAdministration } from '../partners.ts'
import { NameParams } from './common.ts'
import { presentAdminDelivery } from './deliveries.ts'

const audited = (action: `webhook.${'test' | 'rotate' | 'finish_rotation' | 'delete'}`): AuditRule => ({
  action,
  target: parameter('name'),
})

/** Without its path, which may contain a secret of the partner. */
const presentAdminWebhook = (webhook: WebhookSubscription | null) => ({
  ...presentWebhook(webhook),
  url: webhook && new URL('/***', webhook.url).href,
})

/** The webhook of one service account (docs/administration.md#partners). */
export const partnerWebhookRoutes =
  ({ auth, partners }: { auth: Auth; partners: PartnerAdministration }): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/service-accounts/:name/webhook',
      {
        config,
        schema: {
          operationId: 'adminGetServiceAccountWebhook',
          tag: 'Administration',
          summary: 'Get the webhook of a service account',
          description: 'Its settings; `url` without its path, which may contain a secret.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          example: { response: { url: 'https://partner.example/***' } },
          params: NameParams,
          response: { 200: WebhookResponse },
        },
      },
      async ({ params }) => {
        const { name } = await partners.findServiceAccount(params.name)
        return presentAdminWebhook(await partners.parts.webhookSettings.find(name))
      },
    )

    app.delete(
      '/service-accounts/:name/webhook',
      {
        config: { ...config, audit: audited('webhook.delete') },
        schema: {
          operationId: 'adminDeleteServiceAccountWebhook',
          tag: 'Administration',
          summary: 'Remove the webhook of a service account',
          description: 'Removes it with its secrets, and cancels its pending deliveries.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          example: {
            response: {
              configured: false,
              url: null,
              events: [],
              enabled: false,
              secret_configured: false,
              previous_secret_expires_at: null,
            },
          },
          params: NameParams,
          response: { 200: WebhookResponse },
        },
      },
      async ({ params }) => {
        const { name } = await partners.findServiceAccount(params.name)
        await partners.parts.webhookSettings.remove(name)
        return presentAdminWebhook(null)
      },
    )

    app.post(
      '/service-accounts/:name/webhook/test',
      {
        config: { ...config, audit: audited('webhook.test') },
        schema: {
          operationId: 'adminSendTestEvent',
          tag: 'Administration',
          summary: 'Send a test event to a service account',
          description: 'Sends an event of the type `webhook.test`, and returns its delivery.',
          errors: [
            'service_account_not_found',
            'webhook_not_configured',
            'webhook_disabled',
            'partner_module_disabled',
          ],
          example: {
            response: {
              event: 'webhook.test',
              subject: 'test:5f0c2e7d9b31a846',
              status: 'pending',
              attempts: 0,
              response_status: null,
            },
          },
          params: NameParams,
          response: { 200: AdminDeliveryResponse },
        },
      },
      async ({ params }) => {
        const { name } = await partners.findServiceAccount(params.name)
        const delivery = await partners.parts.ownDeliveries.sendTest(name)
        return { result: 200 as const, ...presentAdminDelivery(delivery) }
      },
    )

    app.post(
      '/service-accounts/:name/webhook/rotate',
      {
        preValidation: bodyIsOptional,
        config: {
          ...config,
          audit: {
            ...audited('webhook.rotate'),
            details: bodyFields('overlap_seconds'),
          },
        },
        schema: {
          operationId: 'adminRotateWebhookSecret',
          tag: 'Administration',
          summary: 'Replace the webhook secret of a service account',
          description:
            'The server generates the new secret, which is shown only here. Until the end of the overlap both sign.',
          errors: [
            'service_account_not_found',
            'webhook_not_configured',
            'rotation_in_progress',
            'partner_module_disabled',
          ],
          example: { response: { url: 'https://partner.example/***' } },
          params: NameParams,
          body: AdminWebhookRotateRequest,
          response: { 200: AdminWebhookRotatedResponse },
        },
      },
      async ({ params, body }) => {
        const { name } = await partners.findServiceAccount(params.name)
        const secret = makeWebhookSecret()
        const webhook = await partners.parts.webhookSettings.rotate(name, secret, body.overlap_seconds)
        return { ...presentAdminWebhook(webhook), secret }
      },
    )

    app.post(
      '/service-accounts/:name/webhook/rotate/finish',
      {
        config: { ...config, audit: audited('webhook.finish_rotation') },
        schema: {
          operationId: 'adminFinishWebhookRotation',
          tag: 'Administration',
          summary: 'End the overlap of webhook secrets',
          description: 'From now on the previous secret signs nothing.',
          errors: ['service_account_not_found', 'webhook_not_configured', 'partner_module_disabled'],
          example: { response: { url: 'https://partner.example/***', previous_secret_expires_at: null } },
          params: NameParams,
          response: { 200: WebhookResponse },
        },
      },
      async ({ params }) => {
        const { name } = await partners.findServiceAccount(params.name)
        return presentAdminWebhook(await partners.parts.webhookSettings.finishRotation(name))
      },
    )
  }
