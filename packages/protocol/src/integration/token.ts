import { type Static, Type } from 'typebox'
import { Result } from '../schema.ts'

/** Scopes of service accounts (docs/partner-api.md#authentication). */
export const SCOPES = ['integration:rooms', 'blob'] as const
export type Scope = (typeof SCOPES)[number]

/** Seconds a service token lives (rule TOKEN-1). */
export const SERVICE_TOKEN_SECONDS = 604_800

export const TokenRequest = Type.Object({
  service_account: Type.String({ minLength: 1, maxLength: 255, format: 'text' }),
  client_secret: Type.String({ minLength: 1, maxLength: 1024, format: 'text' }),
})

export const TokenResponse = Type.Object({
  result: Result,
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.' }),
  refresh_token: Type.Null({ description: 'Always null: request a new access token instead.' }),
})
export type TokenResponse = Static<typeof TokenResponse>

/** The features that every server offers to partners. */
export const FEATURES = [
  'rooms.idempotent_put',
  'rooms.status_polling',
  'signed_join_links',
  'signed_join_links.resolve',
  'signed_join_links.display_name',
  'signed_join_links.teacher_moderator',
  'rooms.partner_videoroom',
  'rooms.automatic_recording',
  'webhooks.recording_ready',
  'rooms.create_hints',
  'rooms.list',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.deliveries',
  'webhooks.secret_rotation',
  'request_ids',
] as const

/** Listed where a transcriber is configured. */
export const TRANSCRIPTION_FEATURE = 'webhooks.transcription_ready'

export const ServerInfoResponse = Type.Object({
  result: Result,
  api: Type.Object({
    version: Type.Literal('v1'),
    base_path: Type.Literal('/api/v1/integration'),
    features: Type.Array(Type.String()),
  }),
  server: Type.Object({ name: Type.String(), version: Type.String() }),
})
export type ServerInfoResponse = Static<typeof ServerInfoResponse>
