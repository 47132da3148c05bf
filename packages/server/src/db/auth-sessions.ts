import type { Kysely } from 'kysely'
import type { AuthSessionStore } from '../accounts/ports.ts'
import type { MainSchema } from './schema.ts'
import { toUser } from './users.ts'

/** `onRevoked` is called when sessions were revoked. */
export function authSessionStore(db: Kysely<MainSchema>, onRevoked = () => {}): AuthSessionStore {
  return {
    add: async session => {
      await db
        .insertInto('auth_sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          generation: session.generation,
          secret_hash: session.secretHash,
          last_request: session.lastRequest,
          network: session.network,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
          revoked_at: session.revokedAt,
        })
        .execute()
    },
    find: async id => {
      const row = await db
        .selectFrom('auth_sessions as session')
        .innerJoin('users', 'users.id', 'session.user_id')
        .selectAll('users')
        .select([
          'session.generation',
          'session.secret_hash',
          'session.last_request',
          'session.network',
          'session.created_at as opened_at',
          'session.expires_at',
          'session.revoked_at',
        ])
        .where('session.id', '=', id)
        .executeTakeFirst()
      if (!row) return null
      return {
        user: toUser(row),
        session: {
          id,
          userId: row.id,
          generation: row.generation,
          secretHash: row.secret_hash,
          lastRequest: row.last_request,
          network: row.network,
          createdAt: row.opened_at,
          expiresAt: row.expires_at,
          revokedAt: row.revoked_at,
        },
      }
    },
    advance: async (id, from, secretHash, expiresAt) => {
      const { numUpdatedRows } = await db
        .updateTable('auth_sessions')
        .set({ generation: from + 1, secret_hash: secretHash, last_request: null, expires_at: expiresAt })
        .where('id', '=', id)
        .where('generation', '=', from)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },
    revoke: async (id, at) => {
      await db
        .updateTable('auth_sessions')
        .set({ revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute()
      onRevoked()
    },
    revokeAllOf: async (userId, at) => {
      await db
        .updateTable('auth_sessions')
        .set({ revoked_at: at })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute()
      onRevoked()
    },
    hasNetwork: async (userId, network) => {
      const query = db
        .selectFrom('auth_sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('network', '=', network)
        .limit(1)
      return (await query.executeTakeFirst()) !== undefined
    },
    sweep: async (before, limit) => {
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
