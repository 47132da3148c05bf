import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { WebhookRequest, WebhookResponse, WebhookRotateRequest } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import type { RateLimiter } from '../../rate-limiter.ts'
import { presentWebhook } from '../present.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS } from '../tool-limits.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

interface WebhookRoutesOptions {
  auth: AuthPolicy<Caller>
  webhooks: Webhooks
  limits: RateLimiter<string>
}

const response = { 200: WebhookResponse }

/** The webhook of the partner and its secret (docs/partner-api.md#webhook-settings). */
export const webhookRoutes =
  ({ auth, webhooks, limits }: WebhookRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.get('/webhook', { config, schema: { operationId: 'getWebhook', response } }, async request =>
      presentWebhook(await webhooks.find(auth.callerOf(request).name)),
    )

    app.put(
      '/webhook',
      { config, schema: { operationId: 'setWebhook', body: WebhookRequest, response } },
      async request => presentWebhook(await webhooks.configure(auth.callerOf(request).name, request.body)),
    )

    app.delete('/webhook', { config, schema: { operationId: 'deleteWebhook', response } }, async request => {
      await webhooks.remove(auth.callerOf(request).name)
      return presentWebhook(null)
    })

    app.post(
      '/webhook/rotate',
      {
        config,
        schema: { operationId: 'rotateWebhookSecret', body: WebhookRotateRequest, response },
      },
      async request => {
        const { name } = auth.callerOf(request)
        limits.enforce(name, TOOL_COSTS.rotate)
        const { secret, overlap_seconds } = request.body
        return presentWebhook(await webhooks.rotate(name, secret, overlap_seconds))
      },
    )

    app.post(
      '/webhook/rotate/finish',
      { config, schema: { operationId: 'finishWebhookRotation', response } },
      async request => presentWebhook(await webhooks.finishRotation(auth.callerOf(request).name)),
    )
  }
