import type { Migration } from '../migrate.ts'

/** Mail addresses of accounts. */
export const mailAddresses: Migration = async db => {
  await db.schema.alterTable('users').addColumn('email', 'text').execute()
  await db.schema.createIndex('users_email').on('users').column('email').execute()
}

/** Mails of missed calls: who wants them, and those that wait or were sent within the last day. */
export const missedCallMails: Migration = async db => {
  await db.schema
    .alterTable('users')
    .addColumn('missed_call_mails', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('missed_call_mails')
    .addColumn('id', 'text', column => column.primaryKey().notNull())
    .addColumn('call_id', 'integer', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('inviter_id', 'integer', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at_ms', 'bigint', column => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('missed_call_mails_due')
    .on('missed_call_mails')
    .columns(['state', 'next_attempt_at_ms'])
    .execute()
  await db.schema
    .createIndex('missed_call_mails_user')
    .on('missed_call_mails')
    .columns(['user_id', 'created_at_ms'])
    .execute()
}
