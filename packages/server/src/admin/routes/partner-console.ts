import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminDeliveryListResponse,
  AdminDeliveryQuery,
  AdminDeliveryResponse,
  AdminRoomListResponse,
  AdminRoomQuery,
  AdminWebhookRotatedResponse,
  AdminWebhookRotateRequest,
  ensure,
  WebhookResponse,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { UserStore } from '../../db/users.ts'
import type { Auth } from '../../http/authentication.ts'
import { bodyIsOptional } from '../../http/body.ts'
import type { ServiceAccount, WebhookSubscription } from '../../integration/ports.ts'
import { presentWebhook } from '../../integration/present.ts'
import { makeWebhookSecret } from '../../integration/webhooks/webhooks.ts'
import { readPage, readTimePage, searchOf } from '../../paging.ts'
import { type AuditRule, parameter } from '../auditing.ts'
import type { PartnerAdministration } from '../partners.ts'
import { presentRoom } from '../present-room.ts'
import { NameParams } from './common.ts'
import { presentAdminDelivery } from './deliveries.ts'

interface AdminPartnerConsoleRoutesOptions {
  auth: Auth
  users: Pick<UserStore, 'find'>
  partners: PartnerAdministration
}

const audited = (action: `webhook.${'test' | 'rotate' | 'finish_rotation' | 'delete'}`): AuditRule => ({
  action,
  target: parameter('name'),
})

/** Without its path, which may contain a secret of the partner. */
const presentAdminWebhook = (webhook: WebhookSubscription | null) => ({
  ...presentWebhook(webhook),
  url: webhook && new URL('/***', webhook.url).href,
})

/** The rooms, the webhook and the deliveries of one service account (docs/administration.md#partners). */
export const partnerConsoleRoutes =
  ({ auth, users, partners }: AdminPartnerConsoleRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const find = async (name: string): Promise<ServiceAccount> => {
      const account = await partners.parts.serviceAccounts.find(name)
      ensure(account, 'service_account_not_found')
      return account
    }

    app.get(
      '/service-accounts/:name/rooms',
      {
        config,
        schema: {
          operationId: 'adminListServiceAccountRooms',
          tag: 'Administration',
          summary: 'List the rooms of a service account',
          description: 'The rooms of its technical user, newest first, in pages.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          example: { response: { next: null } },
          params: NameParams,
          querystring: AdminRoomQuery,
          response: { 200: AdminRoomListResponse },
        },
      },
      async ({ params, query }) => {
        const { rooms } = partners.parts
        const { clientId } = await find(params.name)
        const filter = { search: searchOf(query), status: query.status }
        const { rows, next } = await readPage(
          query,
          page => rooms.list(clientId, filter, page),
          ({ roomId }) => roomId,
        )
        const live = await rooms.listLive(rows)
        const owner = (await users.find(clientId))?.login ?? String(clientId)
        return {
          result: 200 as const,
          rooms: rows.map(room => presentRoom(room, owner, live.has(room.tag))),
          next,
        }
      },
    )

    app.get(
      '/service-accounts/:name/webhook-deliveries',
      {
        config,
        schema: {
          operationId: 'adminListServiceAccountDeliveries',
          tag: 'Administration',
          summary: 'List the webhook deliveries of a service account',
          description: 'Newest first, in pages, without contents.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          example: { response: { next: null } },
          params: NameParams,
          querystring: AdminDeliveryQuery,
          response: { 200: AdminDeliveryListResponse },
        },
      },
      async ({ params, query }) => {
        const { name } = await find(params.name)
        const { rows, next } = await readTimePage(
          query,
          page => partners.parts.ownDeliveries.list(name, { status: query.status }, page),
          ({ createdAt, id }) => ({ at: createdAt, id }),
        )
        return { result: 200 as const, deliveries: rows.map(presentAdminDelivery), next }
      },
    )

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
        const { name } = await find(params.name)
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
        const { name } = await find(params.name)
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
        const { name } = await find(params.name)
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
            details: ({ body }: FastifyRequest) => {
              const { overlap_seconds } = body as Static<typeof AdminWebhookRotateRequest>
              return overlap_seconds === undefined ? {} : { overlap_seconds }
            },
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
        const { name } = await find(params.name)
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
        const { name } = await find(params.name)
        return presentAdminWebhook(await partners.parts.webhookSettings.finishRotation(name))
      },
    )
  }
