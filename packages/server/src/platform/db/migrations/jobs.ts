import type { Migration } from '../migrate.ts'

/** In which incarnation of its session the holder of a job was there last. */
export const incarnationsOfJobs: Migration = async db => {
  await db.schema
    .alterTable('jobs')
    .addColumn('session_life', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
