import type { Migration } from '../migrate.ts'

/** Accounts at identity providers. */
export const externalIdentities: Migration = async db => {
  await db.schema
    .createTable('external_identities')
    .addColumn('issuer', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id'))
    .addColumn('label', 'text', column => column.notNull())
    .addColumn('given_name', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('used_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('external_identities_subject', ['issuer', 'subject'])
    .addUniqueConstraint('external_identities_user', ['user_id', 'issuer'])
    .execute()
}
