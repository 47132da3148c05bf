import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../schema.ts'

export const WEBHOOK_EVENTS = ['recording.ready', 'transcription.ready'] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

/** The event that a partner requests for a test. Nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test'

export const WebhookSecret = Type.String({ minLength: 16, maxLength: 256, format: 'text' })

/** The first PUT needs url and secret (docs/partner-api.md#webhook-settings). */
export const WebhookRequest = Type.Object({
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, format: 'text' })),
  secret: Type.Optional(WebhookSecret),
  events: Type.Optional(
    Type.Array(Type.Enum(WEBHOOK_EVENTS), {
      minItems: 1,
      uniqueItems: true,
      maxItems: WEBHOOK_EVENTS.length,
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
})
export type WebhookRequest = Static<typeof WebhookRequest>

export const WebhookResponse = Type.Object({
  result: Result,
  configured: Type.Boolean(),
  url: Nullable(Type.String()),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  secret_configured: Type.Boolean(),
  previous_secret_expires_at: Nullable(
    Type.Integer({
      description:
        'Unix seconds. While a secret is being replaced: until when deliveries are signed with the previous one, too.',
    }),
  ),
})
export type WebhookResponse = Static<typeof WebhookResponse>
