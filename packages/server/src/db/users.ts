import type { Capability, UserKind } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { User, UserStore } from '../accounts/ports.ts'
import { prepared } from './prepared.ts'
import type { MainSchema, UsersTable } from './schema.ts'

export const toUser = (row: Selectable<UsersTable>): User => ({
  id: row.id,
  login: row.login,
  displayName: row.display_name,
  kind: row.kind as UserKind,
  passwordHash: row.password_hash,
  capabilities: JSON.parse(row.capabilities) as Capability[],
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
})

/** `onAccessChange` is called when a change of an account may revoke access. */
export function userStore(db: Kysely<MainSchema>, onAccessChange = () => {}): UserStore {
  const one = async (query: Promise<Selectable<UsersTable> | undefined>) => {
    const row = await query
    return row ? toUser(row) : null
  }
  const select = prepared(db, (id: number) => db.selectFrom('users').selectAll().where('id', '=', id))
  return {
    add: user =>
      one(
        db
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
          .executeTakeFirst(),
      ),
    find: id => one(select(id).then(([row]) => row)),
    findByLogin: login =>
      one(db.selectFrom('users').selectAll().where('login', '=', login).executeTakeFirst()),
    list: async () => (await db.selectFrom('users').selectAll().orderBy('id').execute()).map(toUser),
    listByCapability: async capability => {
      const rows = await db
        .selectFrom('users')
        .selectAll()
        .where('deleted_at', 'is', null)
        .where('capabilities', 'like', `%"${capability}"%`)
        .orderBy('id')
        .execute()
      return rows.map(toUser)
    },
    update: async (id, { displayName, passwordHash, capabilities, deletedAt }) => {
      const user = await one(
        db
          .updateTable('users')
          .set({
            // Undefined leaves a column unchanged.
            display_name: displayName,
            password_hash: passwordHash,
            capabilities: capabilities && JSON.stringify(capabilities),
            deleted_at: deletedAt,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      )
      if (capabilities !== undefined || deletedAt !== undefined) onAccessChange()
      return user
    },
  }
}
