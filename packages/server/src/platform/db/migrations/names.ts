import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

const COLUMNS = [
  ['conference_sessions', 'life', 'incarnation'],
  ['jobs', 'session_life', 'session_incarnation'],
  ['jobs', 'stop_asked', 'stop_requested'],
  ['recordings', 'told_at', 'notified_at'],
  ['transcripts', 'told_at', 'notified_at'],
] as const

/** Names in the terms of the code. Servers of earlier revisions cannot run beside this one (decision 125). */
export const standardNames: Migration = async db => {
  for (const [table, from, to] of COLUMNS) await db.schema.alterTable(table).renameColumn(from, to).execute()
  // SQLite cannot rename indexes.
  for (const name of ['jobs_one_of_a_session', 'jobs_going_on', 'recordings_untold', 'transcripts_untold'])
    await db.schema.dropIndex(name).execute()
  const isUnfinished = sql<boolean>`state IN ('queued', 'leased')`
  await db.schema
    .createIndex('jobs_unfinished_of_session')
    .unique()
    .on('jobs')
    .columns(['conference_session_id', 'kind'])
    .where(sql<boolean>`${isUnfinished} AND stop_requested = 0`)
    .execute()
  await db.schema
    .createIndex('jobs_unfinished')
    .on('jobs')
    .column('created_at_ms')
    .where(isUnfinished)
    .execute()
  for (const table of ['recordings', 'transcripts'])
    await db.schema
      .createIndex(`${table}_unnotified`)
      .on(table)
      .column('id')
      .where(sql.ref('notified_at'), 'is', null)
      .execute()
}
