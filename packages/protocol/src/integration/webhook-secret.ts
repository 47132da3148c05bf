import { type Static, Type } from 'typebox'
import { WebhookSecret } from './webhook.ts'

export const OVERLAP_DEFAULT_SECONDS = 86_400
export const OVERLAP_MIN_SECONDS = 60
export const OVERLAP_MAX_SECONDS = 604_800

/** How long deliveries are signed with both secrets. */
export const OverlapSeconds = Type.Optional(
  Type.Integer({
    minimum: OVERLAP_MIN_SECONDS,
    maximum: OVERLAP_MAX_SECONDS,
    description: `Seconds during which deliveries have signatures of both secrets; by default ${OVERLAP_DEFAULT_SECONDS}.`,
  }),
)

export const WebhookRotateRequest = Type.Object({
  secret: WebhookSecret,
  overlap_seconds: OverlapSeconds,
})
export type WebhookRotateRequest = Static<typeof WebhookRotateRequest>
