import type { Migration } from '../migrate.ts'

/** The language of an account, what its sign-ins show about themselves, and invitations. */
export const accountSettings: Migration = async db => {
  await db.schema.alterTable('users').addColumn('language', 'text').execute()
  await db.schema.alterTable('auth_sessions').addColumn('browser', 'text').execute()
  await db.schema.alterTable('auth_sessions').addColumn('platform', 'text').execute()
  await db.schema.alterTable('auth_sessions').addColumn('used_at', 'bigint').execute()
  await db.schema
    .createTable('invitations')
    .addColumn('user_id', 'integer', column => column.primaryKey().references('users.id'))
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
}
