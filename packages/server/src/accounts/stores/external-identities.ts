import type { Kysely, Selectable } from 'kysely'
import { isPostgres } from '../../platform/db/dialect.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { ExternalIdentitiesTable } from '../../platform/db/tables/sso.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { NewUser, User } from '../ports.ts'
import type { ExternalIdentity } from '../sso/ports.ts'
import { isReserved } from './deleted-accounts.ts'
import { toUser } from './user-rows.ts'

const toIdentity = (row: Selectable<ExternalIdentitiesTable>): ExternalIdentity => ({
  issuer: row.issuer,
  subject: row.subject,
  userId: row.user_id,
  label: row.label,
  givenName: row.given_name,
  createdAt: row.created_at,
  usedAt: row.used_at,
})

async function insert(db: Kysely<MainSchema>, identity: ExternalIdentity): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('external_identities')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      user_id: identity.userId,
      label: identity.label,
      given_name: identity.givenName,
      created_at: identity.createdAt,
      used_at: identity.usedAt,
    })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Whether the account is not deleted. On PostgreSQL this locks its row: a deletion waits until the transaction ends,
 * and then removes what it has written.
 */
async function hasAccount(db: Kysely<MainSchema>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .$if(isPostgres(db), query => query.forShare())
    .executeTakeFirst()
  return row !== undefined
}

export type ExternalIdentityStore = ReturnType<typeof externalIdentityStore>

export function externalIdentityStore(db: Kysely<MainSchema>) {
  const addUser = async (
    store: Kysely<MainSchema>,
    user: NewUser,
    identity: Omit<ExternalIdentity, 'userId'>,
  ) => {
    const linked = await store
      .selectFrom('external_identities')
      .select('user_id')
      .where('issuer', '=', identity.issuer)
      .where('subject', '=', identity.subject)
      .executeTakeFirst()
    if (linked) return 'already_linked'
    if (await isReserved(store, user.login)) return 'login_taken'
    const row = await store
      .insertInto('users')
      .values({
        login: user.login,
        display_name: user.displayName,
        kind: user.kind,
        password_hash: user.passwordHash,
        capabilities: JSON.stringify(user.capabilities),
        created_at: user.createdAt,
        deleted_at: null,
      })
      .onConflict(conflict => conflict.column('login').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) return 'login_taken'
    await insert(store, { ...identity, userId: row.id })
    return toUser(row)
  }
  return {
    find: async (
      issuer: string,
      subject: string,
    ): Promise<{ identity: ExternalIdentity; user: User } | null> => {
      const row = await db
        .selectFrom('external_identities')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      if (!row) return null
      const user = await db
        .selectFrom('users')
        .selectAll()
        .where('id', '=', row.user_id)
        .executeTakeFirstOrThrow()
      return { identity: toIdentity(row), user: toUser(user) }
    },
    listOf: async (userId: number): Promise<ExternalIdentity[]> => {
      const rows = await db
        .selectFrom('external_identities')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
      return rows.map(toIdentity)
    },
    /**
     * False when the identity signs a user in already, the user has another one of this issuer, or was deleted while the
     * provider answered.
     */
    link: (identity: ExternalIdentity): Promise<boolean> =>
      inTransaction(
        db,
        async store => (await hasAccount(store, identity.userId)) && insert(store, identity),
        [`identities ${identity.userId}`],
      ),
    /** Adds an account with its identity, all or nothing. Of two servers, the second waits and then finds the identity. */
    addUser: (
      user: NewUser,
      identity: Omit<ExternalIdentity, 'userId'>,
    ): Promise<User | 'login_taken' | 'already_linked'> =>
      inTransaction(db, store => addUser(store, user, identity), [
        `identity ${identity.issuer} ${identity.subject}`,
      ]),
    update: async (
      { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
      { label, givenName, usedAt }: Pick<ExternalIdentity, 'label' | 'givenName' | 'usedAt'>,
    ) => {
      await db
        .updateTable('external_identities')
        .set({ label, given_name: givenName, used_at: usedAt })
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .where('user_id', 'in', db.selectFrom('users').select('id').where('deleted_at', 'is', null))
        .execute()
    },
    /** False when there was none. */
    unlink: async (userId: number, issuer: string) => {
      const { numDeletedRows } = await db
        .deleteFrom('external_identities')
        .where('user_id', '=', userId)
        .where('issuer', '=', issuer)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
