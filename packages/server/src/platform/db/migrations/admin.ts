import { sql } from 'kysely'
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

const KNOWN = ['sessions', 'participants', 'connections', 'requests', 'request_failures', 'jobs'] as const
const MEASURED = ['cpu_percent', 'media_cpu_percent', 'memory_bytes', 'event_loop_delay_ms'] as const
const UNKNOWN_AT_TIMES = ['incoming_bps', 'outgoing_bps', 'packet_loss_percent'] as const

/** The charts, and indexes of lists that only administrators read. */
export const charts: Migration = async db => {
  let table = db.schema.createTable('samples').addColumn('at_ms', 'bigint', column => column.primaryKey())
  for (const name of KNOWN) table = table.addColumn(name, 'integer', column => column.notNull())
  for (const name of MEASURED) table = table.addColumn(name, 'double precision', column => column.notNull())
  for (const name of UNKNOWN_AT_TIMES) table = table.addColumn(name, 'double precision')
  await table.execute()
  await db.schema.createIndex('jobs_newest').on('jobs').columns(['created_at_ms', 'id']).execute()
}

/** The charts of several servers. Those of one server stay for earlier versions that still run beside this one. */
export const chartsOfServers: Migration = async db => {
  const columns = ['at_ms', ...KNOWN, ...MEASURED, ...UNKNOWN_AT_TIMES]
  let table = db.schema
    .createTable('server_samples')
    .addColumn('server', 'text', column => column.notNull())
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('server_samples_key', ['server', 'at_ms'])
  for (const name of KNOWN) table = table.addColumn(name, 'integer', column => column.notNull())
  for (const name of MEASURED) table = table.addColumn(name, 'double precision', column => column.notNull())
  for (const name of UNKNOWN_AT_TIMES) table = table.addColumn(name, 'double precision')
  await table.execute()
  const names = sql.join(columns.map(name => sql.ref(name)))
  await sql`INSERT INTO server_samples (server, ${names}) SELECT '', ${names} FROM samples`.execute(db)
  await db.schema.createIndex('server_samples_time').on('server_samples').column('at_ms').execute()
}

/** Each filter of the lists of administrators has an index in the order of the list. */
export const indexesOfLists: Migration = async db => {
  for (const [table, ...columns] of [
    ['audit_log', 'outcome', 'id'],
    ['users', 'kind', 'id'],
    ['jobs', 'kind', 'created_at_ms', 'id'],
    ['jobs', 'state', 'created_at_ms', 'id'],
  ] as const)
    await db.schema.createIndex(`${table}_by_${columns[0]}`).on(table).columns(columns).execute()
  for (const column of ['disabled_at', 'deleted_at'])
    await db.schema
      .createIndex(`users_${column}`)
      .on('users')
      .column('id')
      .where(sql.ref(column), 'is not', null)
      .execute()
  await db.schema
    .createIndex('push_deliveries_oldest')
    .on('push_deliveries')
    .columns(['created_at_ms', 'id'])
    .where(sql.ref('state'), '=', sql.lit('pending'))
    .execute()
}

/** The jobs of a conference, newest first. */
export const jobsOfConferences: Migration = async db => {
  await db.schema
    .createIndex('jobs_of_conference')
    .on('jobs')
    .columns(['conference_tag', 'created_at_ms', 'id'])
    .execute()
}

export const indexesOfPartnerLists: Migration = async db => {
  await db.schema.createIndex('rooms_status').on('rooms').columns(['status', 'room_id']).execute()
  await db.schema
    .createIndex('webhook_deliveries_newest')
    .on('webhook_deliveries')
    .columns(['created_at', 'id'])
    .execute()
  await db.schema.dropIndex('webhook_deliveries_status').execute()
  await db.schema
    .createIndex('webhook_deliveries_status')
    .on('webhook_deliveries')
    .columns(['status', 'created_at', 'id'])
    .execute()
}
