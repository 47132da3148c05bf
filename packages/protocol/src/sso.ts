import { type Static, Type } from 'typebox'
import { Result } from './schema.ts'

/** The page to which identity providers return, with the answer in its query. */
export const SSO_CALLBACK_PATH = '/sign-in/callback'

/** The longest query that a provider may return. */
export const SSO_QUERY_MAX = 6 * 1024

export const SsoStartResponse = Type.Object({
  result: Result,
  authorization_url: Type.String({ description: 'Where the browser goes, at the provider.' }),
  ticket: Type.String({
    description: 'A secret of this browser tab, which completes the sign-in. The provider does not see it.',
  }),
  expires_in: Type.Integer({ description: 'Seconds within which the sign-in must be completed.' }),
})
export type SsoStartResponse = Static<typeof SsoStartResponse>

export const SsoCompleteRequest = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: SSO_QUERY_MAX,
    description: `The query with which the provider returned to ${SSO_CALLBACK_PATH}.`,
  }),
  ticket: Type.String({ minLength: 1, maxLength: 128 }),
})
export type SsoCompleteRequest = Static<typeof SsoCompleteRequest>

export const IdentityView = Type.Object({
  issuer: Type.String({ description: 'The provider.' }),
  label: Type.String({ description: 'How the provider calls the account, such as an email address.' }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  used_at: Type.Integer({ description: 'Unix seconds; the last sign-in.' }),
})
export type IdentityView = Static<typeof IdentityView>

export const IdentityListResponse = Type.Object({ result: Result, identities: Type.Array(IdentityView) })
export type IdentityListResponse = Static<typeof IdentityListResponse>

/** In server_info. */
export const SignInMethods = Type.Object({
  password: Type.Boolean({ description: 'Whether people sign in with a password.' }),
  password_reset: Type.Boolean({
    description: 'Whether people can get a link to set another password by mail.',
  }),
  sso: Type.Boolean({ description: 'Whether people sign in at an identity provider.' }),
  sso_name: Type.String({ description: 'How the provider is called; empty without one.' }),
})
export type SignInMethods = Static<typeof SignInMethods>
