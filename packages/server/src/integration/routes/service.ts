import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ServerInfoResponse, WebhookRequest, WebhookResponse } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { docs } from '../../http/openapi.ts'
import { presentServerInfo, presentWebhook } from '../present.ts'
import type { Caller } from '../service-accounts.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

interface Parts {
  auth: AuthPolicy<Caller>
  webhooks: Webhooks
  version: string
  hasTranscriber: () => Promise<boolean>
}

const about = docs('Partner service')

/** Server information and webhook settings of the partner (docs/partner-api.md#server-information). */
export const serviceAccountRoutes =
  ({ auth, webhooks, version, hasTranscriber }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.get(
      '/server_info',
      { config, schema: { ...about('Get server information'), response: { 200: ServerInfoResponse } } },
      async () => presentServerInfo(version, await hasTranscriber()),
    )

    app.get(
      '/webhook',
      {
        config,
        schema: { ...about('Get the webhook settings'), response: { 200: WebhookResponse } },
      },
      async request => presentWebhook(await webhooks.find(auth.callerOf(request).name)),
    )

    app.put(
      '/webhook',
      {
        config,
        schema: {
          ...about('Update the webhook settings'),
          body: WebhookRequest,
          response: { 200: WebhookResponse },
        },
      },
      async request => presentWebhook(await webhooks.configure(auth.callerOf(request).name, request.body)),
    )
  }
