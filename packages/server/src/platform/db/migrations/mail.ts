import type { Migration } from '../migrate.ts'

/** Mail addresses of accounts. */
export const mailAddresses: Migration = async db => {
  await db.schema.alterTable('users').addColumn('email', 'text').execute()
  await db.schema.createIndex('users_email').on('users').column('email').execute()
}
