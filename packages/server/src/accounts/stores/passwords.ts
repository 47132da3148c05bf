import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { PasswordChange, User } from '../ports.ts'
import { toUser } from './user-rows.ts'

/**
 * Part of a transaction: sets the password of an account and revokes what the old one, or a link, gave access to. Null when
 * there is no such account, it is deleted, or its password is another one than `replacedHash`.
 */
export async function storePassword(
  db: Kysely<MainSchema>,
  userId: number,
  { passwordHash, at, keptSessionId = '', replacedHash }: PasswordChange,
): Promise<User | null> {
  const update = db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
  const matching =
    replacedHash === undefined ? update : update.where('password_hash', 'is not distinct from', replacedHash)
  const row = await matching.returningAll().executeTakeFirst()
  if (!row) return null
  await revokeSessions(db, userId, at, keptSessionId)
  await db.deleteFrom('invitations').where('user_id', '=', userId).execute()
  return toUser(row)
}

/** Part of a transaction: the end of all sign-ins of an account but one. */
export async function revokeSessions(
  db: Kysely<MainSchema>,
  userId: number,
  at: number,
  keptSessionId = '',
): Promise<void> {
  await db
    .updateTable('auth_sessions')
    .set({ revoked_at: at })
    .where('user_id', '=', userId)
    .where('id', '!=', keptSessionId)
    .where('revoked_at', 'is', null)
    .execute()
}
