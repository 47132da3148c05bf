import { type Static, Type } from 'typebox'
import { DisplayName, LANGUAGES, type Language, UserView } from './accounts.ts'
import { Nullable, Result } from './schema.ts'

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1024

const Password = Type.String({ minLength: 1, maxLength: PASSWORD_MAX })
const NewPassword = Type.String({
  minLength: PASSWORD_MIN,
  maxLength: PASSWORD_MAX,
  description: 'Composed and decomposed characters are the same (Unicode NFKC).',
})
const ChosenLanguage = Type.Unsafe<Language | null>({
  type: ['string', 'null'],
  enum: [...LANGUAGES, null],
  description: 'The language of the pages and of notifications. Null: not chosen.',
})
const TimeMs = (description: string) => Type.Integer({ description: `${description} Unix milliseconds.` })

export const MeResponse = Type.Object({
  result: Result,
  ...UserView.properties,
  language: ChosenLanguage,
  email: Nullable(
    Type.String({ description: 'Where mails are sent, as the operator has set it; null: nowhere.' }),
  ),
  missed_call_mails: Nullable(
    Type.Boolean({
      description:
        'Whether missed calls are also sent by mail. Null: they cannot be, because the server sends no mail or the account has no address.',
    }),
  ),
  has_password: Type.Boolean({ description: 'Whether the account can sign in with a password.' }),
})
export type MeResponse = Static<typeof MeResponse>

export const MeRequest = Type.Object({
  display_name: Type.Optional(DisplayName),
  language: Type.Optional(ChosenLanguage),
  missed_call_mails: Type.Optional(
    Type.Boolean({ description: 'Whether missed calls are also sent by mail; true needs an address.' }),
  ),
})
export type MeRequest = Static<typeof MeRequest>

export const PasswordRequest = Type.Object({ current: Password, new: NewPassword })

export const SignInView = Type.Object({
  id: Type.String(),
  browser: Nullable(Type.String({ description: 'Family of the browser, e.g. Firefox; null: unknown.' })),
  platform: Nullable(Type.String({ description: 'Family of its platform, e.g. Linux; null: unknown.' })),
  created_at_ms: TimeMs('When it began.'),
  used_at_ms: TimeMs('When its tokens were last issued, which happens at least every 15 minutes of use.'),
  is_current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
})
export type SignInView = Static<typeof SignInView>

export const SignInListResponse = Type.Object({
  result: Result,
  sign_ins: Type.Array(SignInView, { description: 'Active ones, last used first, at most 100.' }),
  total: Type.Integer({ description: 'The number of all active ones.' }),
})
export type SignInListResponse = Static<typeof SignInListResponse>

export const SignInParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})

export const EndedSignInsResponse = Type.Object({
  result: Result,
  ended: Type.Integer({ description: 'The number of sign-ins that ended.' }),
})

export const InvitationParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128, description: 'The last part of the link.' }),
})

export const InvitationResponse = Type.Object({
  result: Result,
  login: Type.String(),
  display_name: Type.String(),
  has_password: Type.Boolean({ description: 'Whether a password is replaced.' }),
  expires_at_ms: TimeMs('When the link expires.'),
})
export type InvitationResponse = Static<typeof InvitationResponse>

export const UnsubscribeParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 128, description: 'The token of the link in a mail.' }),
})

export const InvitationRequest = Type.Object({ password: NewPassword })
