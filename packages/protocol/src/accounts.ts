import { type Static, Type } from 'typebox'
import { DISPLAY_NAME_MAX } from './display-name.ts'
import { Nullable, Result, Text } from './schema.ts'
import { SignInMethods } from './sso.ts'

export const USER_KINDS = ['ordinary', 'technical', 'worker', 'guest'] as const
export type UserKind = (typeof USER_KINDS)[number]

/** Permissions beyond an account's own resources, granted with the command line. */
export const CAPABILITIES = [
  'admin',
  'recordings.access',
  'jobs.recorder',
  'jobs.transcriber',
  'jobs.converter',
] as const
export type Capability = (typeof CAPABILITIES)[number]

/** Languages of the texts that users see. */
export const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'pt', 'ru', 'tr'] as const
export type Language = (typeof LANGUAGES)[number]

export const DisplayName = Text(DISPLAY_NAME_MAX, 'The name that others see. Not an identity.')

const Login = Type.String({ minLength: 1, maxLength: 64, format: 'text' })
const RefreshToken = Type.String({ minLength: 1, maxLength: 512 })

export const UserView = Type.Object({
  user_id: Type.Integer(),
  login: Type.String(),
  display_name: Type.String(),
  kind: Type.Enum(USER_KINDS),
  capabilities: Type.Array(Type.String()),
})
export type UserView = Static<typeof UserView>

export const LoginRequest = Type.Object({
  login: Login,
  password: Type.String({ minLength: 1, maxLength: 1024 }),
})

export const RefreshRequest = Type.Object({
  refresh_token: RefreshToken,
  request_id: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 64,
      description:
        'A random value of the client. Repeating a refresh whose response was lost, with the same refresh_token and request_id, returns the same new token; any other second use ends the sign-in.',
    }),
  ),
})

export const LogoutRequest = Type.Object({ refresh_token: RefreshToken })

export const PasswordResetRequest = Type.Object({
  login: Type.String({
    minLength: 1,
    maxLength: 254,
    format: 'text',
    description: 'The login, or the mail address of the account.',
  }),
})

export const GuestRequest = Type.Object({ display_name: Type.Optional(Nullable(DisplayName)) })

export const TokenPair = {
  access_token: Type.String({ description: 'A JWT, for `Authorization: Bearer`.' }),
  refresh_token: Type.String({ description: 'Valid for one refresh; the response contains the next one.' }),
  token_type: Type.Literal('Bearer'),
}

export const LoginResponse = Type.Object({
  result: Result,
  ...TokenPair,
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  user: UserView,
})
export type LoginResponse = Static<typeof LoginResponse>

export const ServiceInfoResponse = Type.Object({
  result: Result,
  name: Type.String(),
  version: Type.String(),
  deployment_id: Type.String({
    description: 'Equal for the servers of one installation, as in the control protocol.',
  }),
  guests_allowed: Type.Boolean(),
  transcription_available: Type.Boolean(),
  transcription_languages: Type.Array(Type.String(), {
    description: 'BCP 47: what the connected transcribers recognise; empty if unknown.',
  }),
  slides_available: Type.Boolean({
    description: 'Whether a converter is connected: slides can be uploaded.',
  }),
  office_slides_available: Type.Boolean({
    description: 'Whether slides may also be office documents: PPTX, PPSX, DOCX, ODP and ODT.',
  }),
  push_enabled: Type.Boolean({
    description: 'Whether push notifications are sent, by web push or a native sender.',
  }),
  push_vapid_public_key: Type.String({ description: 'base64url; empty without web push.' }),
  sign_in: SignInMethods,
  frame_ancestors: Type.Array(Type.String(), {
    description: "The pages that may embed a room, as sources of CSP's frame-ancestors.",
  }),
})
