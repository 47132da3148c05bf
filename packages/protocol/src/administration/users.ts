import { type Static, Type } from 'typebox'
import { CAPABILITIES, DisplayName, USER_KINDS } from '../accounts.ts'
import { Next, PageQuery, Search } from '../paging.ts'
import { Nullable, Result, Text } from '../schema.ts'

export const USER_STATES = ['active', 'disabled', 'deleted'] as const
export type UserState = (typeof USER_STATES)[number]

/** Kinds that administrators create; the server creates guests. */
export const CREATED_KINDS = ['ordinary', 'technical', 'worker'] as const

const Capabilities = Type.Array(Type.Enum(CAPABILITIES), {
  maxItems: 20,
  description: 'Replaces all others.',
})
const Password = Type.String({ minLength: 8, maxLength: 1024, format: 'text' })

const Email = Text(254, 'Where mails to the person are sent; empty: nowhere.')

export const AdminUser = Type.Object({
  user_id: Type.Integer(),
  login: Type.String(),
  display_name: Type.String(),
  kind: Type.Enum(USER_KINDS),
  state: Type.Enum(USER_STATES),
  capabilities: Type.Array(Type.String()),
  has_password: Type.Boolean({ description: 'False: nobody can sign in with a password.' }),
  has_own_login: Type.Boolean({
    description:
      'False: nobody has this login, so the account has no password, mail address or invitation. Guests, people of partners, and workers, which only have a password.',
  }),
  email: Nullable(Type.String({ description: 'Where mails to the person are sent; null: unknown.' })),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type AdminUser = Static<typeof AdminUser>

export const AdminUserQuery = Type.Object({
  ...PageQuery,
  search: Search('the login or the name'),
  kind: Type.Optional(Type.Enum(USER_KINDS)),
  state: Type.Optional(Type.Enum(USER_STATES)),
})

export const AdminUserListResponse = Type.Object({
  result: Result,
  users: Type.Array(AdminUser, { description: 'Newest first.' }),
  next: Next,
})
export type AdminUserListResponse = Static<typeof AdminUserListResponse>

export const AdminUserResponse = Type.Object({
  result: Result,
  ...AdminUser.properties,
  sign_ins: Type.Integer({ description: 'Sign-ins that are valid.' }),
})
export type AdminUserResponse = Static<typeof AdminUserResponse>

export const AdminUserCreateRequest = Type.Object({
  login: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
  display_name: Type.Optional(DisplayName),
  kind: Type.Optional(Type.Enum(CREATED_KINDS)),
  capabilities: Type.Optional(Capabilities),
  password: Type.Optional(Password),
  email: Type.Optional(Email),
  invite: Type.Optional(
    Type.Boolean({ description: 'The person sets the password with a link; only of the kind ordinary.' }),
  ),
})
export type AdminUserCreateRequest = Static<typeof AdminUserCreateRequest>

export const AdminUserCreatedResponse = Type.Object({
  result: Result,
  ...AdminUser.properties,
  password: Nullable(
    Type.String({
      description: 'A generated password, shown only here; null when the request set one or invites.',
    }),
  ),
  invitation_url: Nullable(
    Type.String({ description: 'The link with which the person sets the password, shown only here.' }),
  ),
})
export type AdminUserCreatedResponse = Static<typeof AdminUserCreatedResponse>

export const AdminInvitationResponse = Type.Object({
  result: Result,
  invitation_url: Type.String({ description: 'Shown only here. It replaces earlier links of the account.' }),
  expires_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type AdminInvitationResponse = Static<typeof AdminInvitationResponse>

export const AdminUserChangeRequest = Type.Object(
  {
    display_name: Type.Optional(Text(128)),
    capabilities: Type.Optional(Capabilities),
    password: Type.Optional(Password),
    email: Type.Optional(Email),
    disabled: Type.Optional(Type.Boolean({ description: 'A disabled account cannot sign in.' })),
  },
  { minProperties: 1 },
)
export type AdminUserChangeRequest = Static<typeof AdminUserChangeRequest>
