import type { Migration } from '../migrate.ts'

/** Accounts that asked for jobs, so that each server knows the workers of all servers. */
export const jobWorkers: Migration = async db => {
  await db.schema
    .createTable('job_workers')
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('active_at_ms', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('job_workers_key', ['kind', 'user_id'])
    .execute()
}

/** Languages that transcribers recognise. */
export const languagesOfWorkers: Migration = async db => {
  await db.schema
    .alterTable('job_workers')
    .addColumn('languages', 'text', column => column.notNull().defaultTo(''))
    .execute()
}

/** Which converters convert office documents. */
export const officeOfWorkers: Migration = async db => {
  await db.schema
    .alterTable('job_workers')
    .addColumn('office_at_ms', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
}
