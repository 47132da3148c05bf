import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { WebhookRequest, WebhookResponse, WebhookRotateRequest } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { presentWebhook } from '../present.ts'
import type { Caller } from '../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../tool-limits.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

interface WebhookRoutesOptions {
  auth: AuthPolicy<Caller>
  webhooks: Webhooks
  limits: ToolLimits
}

const response = { 200: WebhookResponse }

/** The webhook of the partner and its secret (docs/partner-api.md#webhook-settings). */
export const webhookRoutes =
  ({ auth, webhooks, limits }: WebhookRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }

    app.get(
      '/webhook',
      {
        config,
        schema: {
          operationId: 'getWebhook',
          tag: 'Webhook',
          summary: 'Get the webhook settings',
          description: 'The webhook of your service account. Its secret is never returned.',
          response,
        },
      },
      async request => presentWebhook(await webhooks.find(auth.callerOf(request).name)),
    )

    app.put(
      '/webhook',
      {
        config,
        schema: {
          operationId: 'setWebhook',
          tag: 'Webhook',
          summary: 'Update the webhook settings',
          description:
            'Sets address, secret, events and whether the webhook is enabled. The first request needs `url` and `secret`; later ones keep what they omit. The address must use https and be public. A `secret` replaces all secrets at once.',
          body: WebhookRequest,
          response,
        },
      },
      async request => presentWebhook(await webhooks.configure(auth.callerOf(request).name, request.body)),
    )

    app.delete(
      '/webhook',
      {
        config,
        schema: {
          operationId: 'deleteWebhook',
          tag: 'Webhook',
          summary: 'Remove the webhook',
          description:
            'Removes the webhook with its secrets, and cancels its pending deliveries. Deliveries stay listed. It may be repeated.',
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
          response,
        },
      },
      async request => {
        await webhooks.remove(auth.callerOf(request).name)
        return presentWebhook(null)
      },
    )

    app.post(
      '/webhook/rotate',
      {
        config,
        schema: {
          operationId: 'rotateWebhookSecret',
          tag: 'Webhook',
          summary: 'Replace the secret with an overlap',
          description:
            'Until `previous_secret_expires_at`, deliveries are signed with the new and with the previous secret. It may be repeated with the same secret.',
          errors: ['webhook_not_configured', 'rotation_in_progress', 'rate_limited'],
          body: WebhookRotateRequest,
          response,
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.rotate)
        const { name } = caller
        const { secret, overlap_seconds } = request.body
        return presentWebhook(await webhooks.rotate(name, secret, overlap_seconds))
      },
    )

    app.post(
      '/webhook/rotate/finish',
      {
        config,
        schema: {
          operationId: 'finishWebhookRotation',
          tag: 'Webhook',
          summary: 'End the overlap of secrets',
          description: 'From now on the previous secret signs nothing. It may be repeated.',
          errors: ['webhook_not_configured'],
          example: { response: { previous_secret_expires_at: null } },
          response,
        },
      },
      async request => presentWebhook(await webhooks.finishRotation(auth.callerOf(request).name)),
    )
  }
