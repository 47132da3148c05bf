import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Invitation, PasswordChange, User } from '../ports.ts'
import { storePassword } from './passwords.ts'
import { toUser } from './user-rows.ts'

export type InvitationStore = ReturnType<typeof invitationStore>

/** `onRevoked` is called when an accepted invitation has ended sign-ins. */
export function invitationStore(db: Kysely<MainSchema>, onRevoked = () => {}) {
  return {
    /** Replaces the earlier invitation of the account. */
    save: async ({ userId, tokenHash, createdAt, expiresAt }: Invitation) => {
      const values = { token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt }
      await db
        .insertInto('invitations')
        .values({ user_id: userId, ...values })
        .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
        .execute()
    },
    /** The invitation of the account, expired or not. */
    findOf: async (userId: number): Promise<Invitation | null> => {
      const row = await db
        .selectFrom('invitations')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (!row) return null
      return { userId, tokenHash: row.token_hash, createdAt: row.created_at, expiresAt: row.expires_at }
    },
    /** Puts the earlier invitation of the account back, or none, unless the later one was replaced or used meanwhile. */
    takeBack: async (later: Pick<Invitation, 'userId' | 'tokenHash'>, earlier: Invitation | null) => {
      const isLater = { user_id: later.userId, token_hash: later.tokenHash }
      await inTransaction(db, async transaction => {
        const taken = await transaction
          .deleteFrom('invitations')
          .where(where => where.and(isLater))
          .returning('user_id')
          .executeTakeFirst()
        if (taken && earlier) await invitationStore(transaction).save(earlier)
      })
    },
    /** The invitation, expired or not, together with its user. */
    find: async (tokenHash: string): Promise<{ invitation: Invitation; user: User } | null> => {
      const row = await db
        .selectFrom('invitations as invitation')
        .innerJoin('users', 'users.id', 'invitation.user_id')
        .selectAll('users')
        .select(['invitation.created_at as invited_at', 'invitation.expires_at'])
        .where('invitation.token_hash', '=', tokenHash)
        .executeTakeFirst()
      if (!row) return null
      return {
        user: toUser(row),
        invitation: { userId: row.id, tokenHash, createdAt: row.invited_at, expiresAt: row.expires_at },
      }
    },
    /**
     * Removes the invitation and changes the password, all or nothing. Null when the invitation is used, replaced, or
     * expired at the time of the change, or the account is deleted or disabled.
     */
    redeem: async (
      tokenHash: string,
      change: Pick<PasswordChange, 'passwordHash' | 'at'>,
    ): Promise<User | null> => {
      const user = await inTransaction(db, async transaction => {
        const used = await transaction
          .deleteFrom('invitations')
          .where('token_hash', '=', tokenHash)
          .where('expires_at', '>', change.at)
          .where(where =>
            where(
              'user_id',
              'in',
              transaction
                .selectFrom('users')
                .select('id')
                .where('deleted_at', 'is', null)
                .where('disabled_at', 'is', null),
            ),
          )
          .returning('user_id')
          .executeTakeFirst()
        return used ? storePassword(transaction, used.user_id, change) : null
      })
      onRevoked()
      return user
    },
  }
}
