import type { Migration } from '../migrate.ts'

const accounts: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', autoId)
    .addColumn('login', 'text', column => column.notNull().unique())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('capabilities', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('auth_sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id'))
    .addColumn('generation', 'integer', column => column.notNull())
    .addColumn('last_request', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('auth_sessions_user').on('auth_sessions').column('user_id').execute()
  await db.schema.createIndex('auth_sessions_expiry').on('auth_sessions').column('expires_at').execute()
}

/** The main store's history. Append only. */
export const mainMigrations: readonly Migration[] = [accounts]
