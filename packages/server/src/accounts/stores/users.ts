import type { Capability } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import { prepared } from '../../platform/db/prepared.ts'
import type { MainSchema, UsersTable } from '../../platform/db/schema.ts'
import { contains } from '../../platform/db/search.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Invitation, NewUser, PasswordChange, User, UserChanges, UserFilter } from '../ports.ts'
import {
  anonymizeAccount,
  anonymizeGuests,
  closeMeetings,
  isReserved,
  reservedLogin,
} from './deleted-accounts.ts'
import { revokeSessions, storePassword } from './passwords.ts'
import { toUser } from './user-rows.ts'

export type UserStore = ReturnType<typeof userStore>

/** Undoes a transaction. */
class LoginsTaken extends Error {
  readonly logins: string[]

  constructor(logins: string[]) {
    super('logins are taken')
    this.logins = logins
  }
}

/** Null when the login is taken, also by a deleted account. */
async function insertUser(db: Kysely<MainSchema>, user: NewUser): Promise<Selectable<UsersTable> | null> {
  if (await isReserved(db, user.login)) return null
  const row = await db
    .insertInto('users')
    .values({
      login: user.login,
      display_name: user.displayName,
      kind: user.kind,
      password_hash: user.passwordHash,
      capabilities: JSON.stringify(user.capabilities),
      email: user.email?.toLowerCase() ?? null,
      created_at: user.createdAt,
      disabled_at: null,
      deleted_at: null,
    })
    .onConflict(conflict => conflict.column('login').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

/** `onAccessChange` is called when a change of an account may revoke access. */
export function userStore(db: Kysely<MainSchema>, onAccessChange = () => {}) {
  const one = async (query: Promise<Selectable<UsersTable> | undefined>) => {
    const row = await query
    return row ? toUser(row) : null
  }
  const select = prepared(db, (id: number) => db.selectFrom('users').selectAll().where('id', '=', id))
  return {
    /** Null when the login is taken, also by a deleted account. */
    add: async (user: NewUser): Promise<User | null> => {
      const row = await insertUser(db, user)
      return row ? toUser(row) : null
    },
    /** Adds all accounts with their invitations, or none: the result is then the logins that are taken. */
    addInvited: async (
      people: { user: NewUser; invitation: Omit<Invitation, 'userId'> }[],
    ): Promise<{ taken: string[] } | { users: User[] }> => {
      try {
        return await inTransaction(db, async transaction => {
          const added: (Selectable<UsersTable> | null)[] = []
          for (const { user } of people) added.push(await insertUser(transaction, user))
          const taken = people.filter((_, i) => !added[i]).map(({ user }) => user.login)
          if (taken.length > 0) throw new LoginsTaken(taken)
          const rows = added.filter(row => row !== null)
          for (const [i, { id }] of rows.entries()) {
            const { tokenHash, createdAt, expiresAt } = (people[i] as (typeof people)[number]).invitation
            await transaction
              .insertInto('invitations')
              .values({ user_id: id, token_hash: tokenHash, created_at: createdAt, expires_at: expiresAt })
              .execute()
          }
          return { users: rows.map(toUser) }
        })
      } catch (error) {
        if (error instanceof LoginsTaken) return { taken: error.logins }
        throw error
      }
    },
    find: (id: number): Promise<User | null> => one(select(id).then(([row]) => row)),
    /** Those of the accounts that exist, in any order. */
    listByIds: async (ids: readonly number[]): Promise<User[]> =>
      ids.length === 0
        ? []
        : (await db.selectFrom('users').selectAll().where('id', 'in', ids).execute()).map(toUser),
    findByLogin: (login: string): Promise<User | null> =>
      one(
        db
          .selectFrom('users')
          .selectAll()
          .where('login', 'in', [login, reservedLogin(login)])
          .executeTakeFirst(),
      ),
    /** The accounts with this mail address, in any case, oldest first, at most `limit`. */
    listByEmail: async (email: string, limit: number): Promise<User[]> => {
      const query = db.selectFrom('users').selectAll().where('email', '=', email.toLowerCase())
      return (await query.orderBy('id').limit(limit).execute()).map(toUser)
    },
    /** All accounts by id, including deleted ones. */
    list: async (): Promise<User[]> =>
      (await db.selectFrom('users').selectAll().orderBy('id').execute()).map(toUser),
    /** The newest first, older than the account `before`. */
    page: async (
      { search, kind, state }: UserFilter,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<User[]> => {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .$if(before !== undefined, query => query.where('id', '<', before as number))
        .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
        .$if(state === 'deleted', query => query.where('deleted_at', 'is not', null))
        .$if(state !== undefined && state !== 'deleted', query => query.where('deleted_at', 'is', null))
        .$if(state === 'active', query => query.where('disabled_at', 'is', null))
        .$if(state === 'disabled', query => query.where('disabled_at', 'is not', null))
        .$if(search !== undefined, query =>
          query.where(contains(db, ['login', 'display_name'], search ?? '')),
        )
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toUser)
    },
    /** Accounts with this capability by id, without deleted ones. */
    listByCapability: async (capability: Capability): Promise<User[]> => {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .where('deleted_at', 'is', null)
        .where('capabilities', 'like', `%"${capability}"%`)
        .orderBy('id')
        .execute()
      return rows.map(toUser)
    },
    /** Null when there is no such user, or it is deleted: nothing describes its person any more. */
    update: async (
      id: number,
      { displayName, capabilities, language, email, missedCallMails, disabledAt, deletedAt }: UserChanges,
    ): Promise<User | null> => {
      const write = (store: Kysely<MainSchema>) =>
        one(
          store
            .updateTable('users')
            .set({
              // Undefined leaves a column unchanged.
              display_name: displayName,
              capabilities: capabilities && JSON.stringify(capabilities),
              language,
              email: email?.toLowerCase() ?? email,
              missed_call_mails: missedCallMails === undefined ? undefined : Number(missedCallMails),
              disabled_at: disabledAt,
              deleted_at: deletedAt,
            })
            .where('id', '=', id)
            .where('deleted_at', 'is', null)
            .returningAll()
            .executeTakeFirst(),
        )
      // The account first: a sign-in that is being opened waits for it, or is found.
      const change = async (transaction: Kysely<MainSchema>) => {
        const former = await transaction
          .selectFrom('users')
          .select('email')
          .where('id', '=', id)
          .executeTakeFirst()
        const changed = await write(transaction)
        if (!changed) return null
        if (typeof disabledAt === 'number') await revokeSessions(transaction, id, disabledAt)
        // Somebody else may read what was sent to a former address.
        if (former?.email && former.email !== changed.email)
          await transaction.deleteFrom('invitations').where('user_id', '=', id).execute()
        if (typeof deletedAt !== 'number') return changed
        await anonymizeAccount(transaction, changed)
        await closeMeetings(transaction, id)
        const [row] = await transaction.selectFrom('users').selectAll().where('id', '=', id).execute()
        return row ? toUser(row) : null
      }
      const isOneStatement =
        email === undefined && [disabledAt, deletedAt].every(at => typeof at !== 'number')
      const user = await (isOneStatement ? write(db) : inTransaction(db, change))
      if (capabilities !== undefined || disabledAt !== undefined || deletedAt !== undefined) onAccessChange()
      return user
    },
    /** Gives a deleted account of a worker its login and its work back: it describes no person. Null if it is no such account. */
    restoreWorker: async (id: number, login: string, capabilities: string[]): Promise<User | null> => {
      const user = await one(
        db
          .updateTable('users')
          .set({
            login,
            display_name: login,
            capabilities: JSON.stringify(capabilities),
            disabled_at: null,
            deleted_at: null,
          })
          .where('id', '=', id)
          .where('kind', '=', 'worker')
          .returningAll()
          .executeTakeFirst(),
      )
      onAccessChange()
      return user
    },
    /** Does for accounts that an earlier version has deleted what `update` does now. */
    anonymizeDeleted: async () => {
      const rows = await db
        .selectFrom('users')
        .select(['id', 'login'])
        .where('deleted_at', 'is not', null)
        .where('login', 'not like', 'deleted:%')
        .execute()
      for (const row of rows) await inTransaction(db, transaction => anonymizeAccount(transaction, row))
      await closeMeetings(db)
    },
    /** Deletes guests who have not come since then (deleted-accounts.ts), and returns their number. */
    anonymizeGuests: async (beforeMs: number, limit: number, at: number): Promise<number> => {
      const count = await inTransaction(db, transaction =>
        anonymizeGuests(transaction, { beforeMs, limit, at }),
      )
      if (count > 0) onAccessChange()
      return count
    },
    /**
     * Stores the password, ends the sign-ins and removes the invitation of the account, all or nothing. Null when there is
     * no such user, or its password is another one by now.
     */
    changePassword: async (id: number, change: PasswordChange): Promise<User | null> => {
      const user = await inTransaction(db, transaction => storePassword(transaction, id, change))
      onAccessChange()
      return user
    },
  }
}
