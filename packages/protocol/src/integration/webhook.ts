import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../schema.ts'

export const WEBHOOK_EVENTS = ['recording.ready', 'transcription.ready'] as const
export type WebhookEventName = (typeof WEBHOOK_EVENTS)[number]

/** The first PUT needs url and secret (docs/partner-api.md#webhook-settings). */
export const WebhookRequest = Type.Object({
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, format: 'text' })),
  secret: Type.Optional(Type.String({ minLength: 16, maxLength: 256, format: 'text' })),
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
})
export type WebhookResponse = Static<typeof WebhookResponse>
