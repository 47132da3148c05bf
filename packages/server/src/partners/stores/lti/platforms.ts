import { ensure } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../../platform/db/schema.ts'
import type { LtiTables } from '../../../platform/db/tables/lti.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'

/** A learning management system that opens rooms. */
export interface Platform {
  id: string
  /** The technical user who owns the rooms. */
  clientId: number
  issuer: string
  /** The id of this server at the platform. */
  ltiClientId: string
  name: string
  authorizationUrl: string
  tokenUrl: string
  jwksUrl: string
  createdAtMs: number
}

const toPlatform = (row: Selectable<LtiTables['lti_platforms']>): Platform => ({
  id: row.id,
  clientId: row.client_id,
  issuer: row.issuer,
  ltiClientId: row.lti_client_id,
  name: row.name,
  authorizationUrl: row.authorization_url,
  tokenUrl: row.token_url,
  jwksUrl: row.jwks_url,
  createdAtMs: Number(row.created_at_ms),
})

export type PlatformStore = ReturnType<typeof platformStore>

export function platformStore(db: Kysely<MainSchema>) {
  const select = () => db.selectFrom('lti_platforms').selectAll()
  return {
    invite: async (tokenHash: string, clientId: number, expiresAtMs: number): Promise<void> => {
      const row = { token_hash: tokenHash, client_id: clientId, expires_at_ms: expiresAtMs }
      await db.insertInto('lti_invitations').values(row).execute()
    },
    /** The technical user of a valid invitation. */
    findInvitation: async (tokenHash: string, nowMs: number): Promise<number | null> => {
      const row = await db
        .selectFrom('lti_invitations')
        .select('client_id')
        .where('token_hash', '=', tokenHash)
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirst()
      return row?.client_id ?? null
    },
    /**
     * Stores a platform and removes the invitation that it uses up: both or neither. It replaces one of the same issuer and
     * client id of that technical user. Throws `link_invalid` when the invitation has been used meanwhile, and
     * `invalid_argument` when the platform is another account's.
     */
    register: (platform: Platform, tokenHash: string): Promise<void> =>
      inTransaction(db, async connection => {
        const { numDeletedRows } = await connection
          .deleteFrom('lti_invitations')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst()
        ensure(numDeletedRows === 1n, 'link_invalid', 'This link for registrations was used.')
        const addresses = {
          name: platform.name,
          authorization_url: platform.authorizationUrl,
          token_url: platform.tokenUrl,
          jwks_url: platform.jwksUrl,
        }
        const { numInsertedOrUpdatedRows } = await connection
          .insertInto('lti_platforms')
          .values({
            id: platform.id,
            client_id: platform.clientId,
            issuer: platform.issuer,
            lti_client_id: platform.ltiClientId,
            created_at_ms: platform.createdAtMs,
            ...addresses,
          })
          .onConflict(conflict =>
            conflict
              .columns(['issuer', 'lti_client_id'])
              .doUpdateSet(addresses)
              .where('lti_platforms.client_id', '=', platform.clientId),
          )
          .executeTakeFirst()
        const isSaved = numInsertedOrUpdatedRows === 1n
        ensure(isSaved, 'invalid_argument', 'This platform is registered for another service account.')
      }),
    find: async (id: string): Promise<Platform | null> => {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row ? toPlatform(row) : null
    },
    /** The platforms of an issuer: one for each client id. */
    listOf: async (issuer: string): Promise<Platform[]> =>
      (await select().where('issuer', '=', issuer).execute()).map(toPlatform),
    list: async (): Promise<Platform[]> =>
      (await select().orderBy('created_at_ms').execute()).map(toPlatform),
    remove: async (id: string): Promise<boolean> => {
      const { numDeletedRows } = await db.deleteFrom('lti_platforms').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },
    /** The stored key; of concurrent callers with different ones, all get the same. */
    findOrAddKey: async (privateJwk: () => Promise<string>): Promise<string> => {
      const find = () =>
        db.selectFrom('lti_keys').select('private_jwk').where('id', '=', 1).executeTakeFirst()
      const stored = await find()
      if (stored) return stored.private_jwk
      await db
        .insertInto('lti_keys')
        .values({ id: 1, private_jwk: await privateJwk() })
        .onConflict(conflict => conflict.column('id').doNothing())
        .execute()
      return (await find())?.private_jwk as string
    },
  }
}
