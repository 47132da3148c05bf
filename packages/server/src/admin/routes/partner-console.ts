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
