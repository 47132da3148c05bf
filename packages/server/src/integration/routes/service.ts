import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ServerInfoResponse, WebhookRequest, WebhookResponse } from '@lectern/protocol'
import { docs } from '../../http/openapi.ts'
import { presentServerInfo, presentWebhook } from '../present.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { callerOf } from './caller.ts'

interface Parts {
  webhooks: Webhooks
  version: string
  hasTranscriber: () => Promise<boolean>
}

const about = docs('Partner service')

/** What concerns the partner's service account as a whole (docs/partner-api.md#server-information). */
export const serviceAccountRoutes =
  ({ webhooks, version, hasTranscriber }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/server_info',
      { schema: { ...about('Get server information', 'service'), response: { 200: ServerInfoResponse } } },
      async () => presentServerInfo(version, await hasTranscriber()),
    )

    app.get(
      '/webhook',
      {
        schema: { ...about('Get the webhook settings', 'service'), response: { 200: WebhookResponse } },
      },
      async request => presentWebhook(await webhooks.find(callerOf(request).name)),
    )

    app.put(
      '/webhook',
      {
        schema: {
          ...about('Update the webhook settings', 'service'),
          body: WebhookRequest,
          response: { 200: WebhookResponse },
        },
      },
      async request => presentWebhook(await webhooks.configure(callerOf(request).name, request.body)),
    )
  }
