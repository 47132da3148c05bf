import type { Migration } from '../migrate.ts'

/** The incarnation of its session in which the holder of a job was there last. */
export const incarnationsOfJobs: Migration = async db => {
  await db.schema
    .alterTable('jobs')
    .addColumn('session_life', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}

/** How many conversions of its conference came shortly before: those of others take turns with them. */
export const turnsOfJobs: Migration = async db => {
  await db.schema
    .alterTable('jobs')
    .addColumn('turn', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
