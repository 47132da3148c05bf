import type { Kysely, Selectable } from 'kysely'
import { isPostgres } from '../../platform/db/dialect.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { AuthSessionsTable, MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { AuthSession, NextGeneration, User } from '../ports.ts'
import { toUser } from './user-rows.ts'

/** Sign-ins of an account that are stored, revoked ones included: links sign in as often as somebody opens them. */
const SIGN_INS_MAX = 100

const toSession = (row: Selectable<AuthSessionsTable>): AuthSession => ({
  id: row.id,
  userId: row.user_id,
  generation: row.generation,
  secretHash: row.secret_hash,
  lastRequest: row.last_request,
  network: row.network,
  browser: row.browser,
  platform: row.platform,
  createdAt: row.created_at,
  usedAt: row.used_at ?? row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
})

/** A change of the account either waits for the end of this transaction, and then finds the session, or is seen here. */
async function add(
  db: Kysely<MainSchema>,
  session: AuthSession,
  passwordHash?: string | null,
): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select(['password_hash', 'disabled_at', 'deleted_at'])
    .where('id', '=', session.userId)
    .$if(isPostgres(db), query => query.forShare())
    .executeTakeFirst()
  if (!user || user.disabled_at !== null || user.deleted_at !== null) return false
  if (passwordHash !== undefined && user.password_hash !== passwordHash) return false
  await db
    .insertInto('auth_sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      generation: session.generation,
      secret_hash: session.secretHash,
      last_request: session.lastRequest,
      network: session.network,
      browser: session.browser,
      platform: session.platform,
      created_at: session.createdAt,
      used_at: session.usedAt,
      expires_at: session.expiresAt,
      revoked_at: session.revokedAt,
    })
    .execute()
  const newest = db
    .selectFrom('auth_sessions')
    .select('id')
    .where('user_id', '=', session.userId)
    .orderBy(({ fn }) => fn.coalesce('used_at', 'created_at'), 'desc')
    .orderBy('id')
    .limit(SIGN_INS_MAX)
  await db
    .deleteFrom('auth_sessions')
    .where('user_id', '=', session.userId)
    .where('id', '!=', session.id)
    .where('id', 'not in', newest)
    .execute()
  return true
}

export type AuthSessionStore = ReturnType<typeof authSessionStore>

/** `onRevoked` is called when sessions were revoked. */
export function authSessionStore(db: Kysely<MainSchema>, onRevoked = () => {}) {
  const active = (userId: number, now: number) =>
    db
      .selectFrom('auth_sessions')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
  // Every request of a signed-in user reads it.
  const selectWithUser = prepared(db, (id: string) =>
    db
      .selectFrom('auth_sessions as session')
      .innerJoin('users', 'users.id', 'session.user_id')
      .selectAll('users')
      .select([
        'session.generation',
        'session.secret_hash',
        'session.last_request',
        'session.network',
        'session.browser',
        'session.platform',
        'session.created_at as opened_at',
        'session.used_at',
        'session.expires_at',
        'session.revoked_at',
      ])
      .where('session.id', '=', id),
  )
  return {
    /**
     * Removes the least recently used ones of the account beyond the newest 100. False, and without effect, if the account was
     * deleted or disabled, or got another password than `passwordHash`, since its user was authenticated: what a change of the
     * account ends must not be opened after it.
     */
    add: (session: AuthSession, passwordHash?: string | null): Promise<boolean> =>
      inTransaction(db, transaction => add(transaction, session, passwordHash), [
        `sign-ins ${session.userId}`,
      ]),
    /** The session together with its user, in one query. */
    find: async (id: string): Promise<{ session: AuthSession; user: User } | null> => {
      const [row] = await selectWithUser(id)
      if (!row) return null
      const session = toSession({ ...row, id, user_id: row.id, created_at: row.opened_at })
      return { user: toUser(row), session }
    },
    /** Advances the generation by one. False if the session is no longer at `from`, or is revoked. */
    advance: async (id: string, from: number, { secretHash, usedAt, expiresAt }: NextGeneration) => {
      const { numUpdatedRows } = await db
        .updateTable('auth_sessions')
        .set({
          generation: from + 1,
          secret_hash: secretHash,
          last_request: null,
          used_at: usedAt,
          expires_at: expiresAt,
        })
        .where('id', '=', id)
        .where('generation', '=', from)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    revoke: async (id: string, at: number) => {
      await db
        .updateTable('auth_sessions')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute()
      onRevoked()
    },
    /** Returns the number of revoked sessions. */
    revokeAllOf: async (userId: number, at: number, except = ''): Promise<number> => {
      const { numUpdatedRows } = await db
        .updateTable('auth_sessions')
        .set({ revoked_at: at })
        .where('user_id', '=', userId)
        .where('id', '!=', except)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      onRevoked()
      return Number(numUpdatedRows)
    },
    /** The sessions of the user that are neither revoked nor expired, last used first. */
    listActive: async (userId: number, now: number, limit: number): Promise<AuthSession[]> => {
      const rows = await active(userId, now)
        .selectAll()
        .orderBy(({ fn }) => fn.coalesce('used_at', 'created_at'), 'desc')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toSession)
    },
    countActive: async (userId: number, now: number): Promise<number> => {
      const row = await active(userId, now)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    /** Whether a session of the user, ended or not, was opened from this network. */
    hasNetwork: async (userId: number, network: string) => {
      const query = db
        .selectFrom('auth_sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('network', '=', network)
        .limit(1)
      return (await query.executeTakeFirst()) !== undefined
    },
    /**
     * Removes at most `limit` sessions that expired before the given time, and guests whose last session this was. Keeps
     * guests without a secretHash: their tokens do not identify them as guests. Returns the number of removed sessions.
     */
    sweep: async (before: number, limit: number): Promise<number> => {
      const expired = await db
        .selectFrom('auth_sessions as session')
        .innerJoin('users', 'users.id', 'session.user_id')
        .select(['session.id', 'session.user_id', 'users.kind'])
        .where('session.expires_at', '<', before)
        .where(where =>
          where.or([
            where('users.kind', '!=', 'guest'),
            // SQLite reuses the id of a removed last row, so that row is kept.
            where.and([
              where('session.secret_hash', 'is not', null),
              where(
                'users.id',
                '<',
                where.selectFrom('users').select(({ fn }) => fn.max<number>('users.id').as('id')),
              ),
            ]),
          ]),
        )
        .orderBy('session.expires_at')
        .limit(limit)
        .execute()
      if (expired.length === 0) return 0
      const ids = expired.map(({ id }) => id)
      await db.deleteFrom('auth_sessions').where('id', 'in', ids).execute()
      const guests = expired.filter(({ kind }) => kind === 'guest').map(({ user_id }) => user_id)
      if (guests.length > 0)
        await db
          .deleteFrom('users')
          .where('id', 'in', guests)
          .where(
            'id',
            'not in',
            db.selectFrom('auth_sessions').select('user_id').where('user_id', 'in', guests),
          )
          .execute()
      return expired.length
    },
  }
}
