import { type Static, Type } from 'typebox'
import { WebhookResponse } from '../integration/webhook.ts'
import { OverlapSeconds } from '../integration/webhook-secret.ts'

/** The server generates the new secret. */
export const AdminWebhookRotateRequest = Type.Object({ overlap_seconds: OverlapSeconds })

export const AdminWebhookRotatedResponse = Type.Object({
  ...WebhookResponse.properties,
  secret: Type.String({ description: 'Shown only here.' }),
})
export type AdminWebhookRotatedResponse = Static<typeof AdminWebhookRotatedResponse>
