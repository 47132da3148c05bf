import type { Migration } from '../migrate.ts'

/** When an administrator disabled the account. */
const disabledAccounts: Migration = async db => {
  await db.schema.alterTable('users').addColumn('disabled_at', 'bigint').execute()
}

const auditLog: Migration = async (db, { autoId, protectAuditLog }) => {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', 'integer', autoId)
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addColumn('actor_kind', 'text', column => column.notNull())
    .addColumn('actor_user_id', 'integer')
    .addColumn('actor', 'text', column => column.notNull())
    .addColumn('address', 'text')
    .addColumn('action', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .addColumn('outcome', 'text', column => column.notNull())
    .addColumn('code', 'text')
    .execute()
  await db.schema.createIndex('audit_log_action').on('audit_log').columns(['action', 'id']).execute()
  await protectAuditLog(db)
}

export const administration: readonly Migration[] = [disabledAccounts, auditLog]
