import { type Static, Type } from 'typebox'
import { SCOPES } from '../integration/token.ts'
import { Next, PageQuery, Search } from '../paging.ts'
import { Nullable, Result, Text } from '../schema.ts'

const Scopes = Type.Array(Type.Enum(SCOPES), { minItems: 1, maxItems: 20 })

const KeepDays = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description:
      'Then recordings are deleted of rooms without `keep_days`, of all accounts of the technical user; null: never.',
  }),
)

export const AdminServiceAccount = Type.Object({
  name: Type.String(),
  user_id: Type.Integer({ description: 'The technical user, who owns the rooms.' }),
  login: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  keep_days: KeepDays,
  owners: Type.Array(Type.String(), {
    description: 'Logins of the people who own the technical user, and so all of its service accounts.',
  }),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
})
export type AdminServiceAccount = Static<typeof AdminServiceAccount>

export const AdminServiceAccountQuery = Type.Object({
  ...PageQuery,
  before: Type.Optional(Text(255, '`next` of the previous page. Absent: the first page.')),
  search: Search('the name'),
})

export const AdminServiceAccountListResponse = Type.Object({
  result: Result,
  service_accounts: Type.Array(AdminServiceAccount, { description: 'In the order of their names.' }),
  next: Next,
})
export type AdminServiceAccountListResponse = Static<typeof AdminServiceAccountListResponse>

export const AdminServiceAccountResponse = Type.Object({ result: Result, ...AdminServiceAccount.properties })

export const AdminServiceAccountCreateRequest = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, format: 'text' }),
  login: Type.String({
    minLength: 1,
    maxLength: 64,
    format: 'text',
    description: 'The login of the technical user.',
  }),
  scopes: Scopes,
  create_user: Type.Optional(
    Type.Boolean({
      description: 'Creates the technical user. Absent or false: there is one with this login.',
    }),
  ),
})
export type AdminServiceAccountCreateRequest = Static<typeof AdminServiceAccountCreateRequest>

export const AdminServiceAccountCreatedResponse = Type.Object({
  result: Result,
  ...AdminServiceAccount.properties,
  client_secret: Type.String({ description: 'Shown only here; the server stores a hash.' }),
})
export type AdminServiceAccountCreatedResponse = Static<typeof AdminServiceAccountCreatedResponse>

export const AdminServiceAccountChangeRequest = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    scopes: Type.Optional(Scopes),
    keep_days: Type.Optional(KeepDays),
  },
  { minProperties: 1 },
)

export const AdminOwnerParams = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, format: 'text' }),
  login: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})
