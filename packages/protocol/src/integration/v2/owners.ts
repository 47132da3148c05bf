import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../../schema.ts'
import { UtcTime } from './conventions.ts'

/** People who own one technical user. */
export const OWNERS_MAX = 20

/** Names the service account for which a user acts. */
export const SERVICE_ACCOUNT_HEADER = 'lectern-service-account'

const CLIENT_SECRET_OVERLAP_MAX_SECONDS = 604_800

export const OwnedServiceAccount = Type.Object({
  name: Type.String(),
  login: Type.String({ description: 'The login of the technical user, who owns the rooms.' }),
  enabled: Type.Boolean({ description: 'False: an administrator has disabled it, or its technical user.' }),
})
export type OwnedServiceAccount = Static<typeof OwnedServiceAccount>

export const OwnedServiceAccountList = Type.Object({
  result: Result,
  service_accounts: Type.Array(OwnedServiceAccount, { description: 'In the order of their names.' }),
})
export type OwnedServiceAccountList = Static<typeof OwnedServiceAccountList>

const secret = {
  service_account: Type.String(),
  previous_secret_expires_at: Nullable(
    UtcTime('Until when the client secret before is valid; null: there is only one.'),
  ),
}

export const ClientSecretResponse = Type.Object({ result: Result, ...secret })
export type ClientSecretResponse = Static<typeof ClientSecretResponse>

export const ClientSecretRotateRequest = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: CLIENT_SECRET_OVERLAP_MAX_SECONDS,
      description:
        'Seconds during which the secret before and its tokens stay valid; by default 86400. 0: they end at once.',
    }),
  ),
})
export type ClientSecretRotateRequest = Static<typeof ClientSecretRotateRequest>

export const NewClientSecretResponse = Type.Object({
  result: Result,
  ...secret,
  client_secret: Type.String({ description: 'Shown only in this answer.' }),
})
export type NewClientSecretResponse = Static<typeof NewClientSecretResponse>
