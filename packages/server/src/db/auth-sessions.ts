import type { Kysely } from 'kysely'
import type { AuthSessionStore } from '../accounts/ports.ts'
import type { MainSchema } from './schema.ts'
import { toUser } from './users.ts'

export function authSessionStore(db: Kysely<MainSchema>): AuthSessionStore {
  return {
    add: async session => {
      await db
        .insertInto('auth_sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          generation: session.generation,
          last_request: session.lastRequest,
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
          'session.last_request',
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
          lastRequest: row.last_request,
          createdAt: row.opened_at,
          expiresAt: row.expires_at,
          revokedAt: row.revoked_at,
        },
      }
    },
    advance: async (id, from, request, expiresAt) => {
      const { numUpdatedRows } = await db
        .updateTable('auth_sessions')
        .set({ generation: from + 1, last_request: request, expires_at: expiresAt })
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
    },
    revokeAllOf: async (userId, at) => {
      await db
        .updateTable('auth_sessions')
        .set({ revoked_at: at })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .execute()
    },
    sweep: async before => {
      await db
        .deleteFrom('auth_sessions')
        .where('expires_at', '<', before)
        // Those of guests are kept: who comes back late has to hear that the account is gone.
        .where('user_id', 'not in', db.selectFrom('users').select('id').where('kind', '=', 'guest'))
        .execute()
    },
  }
}
