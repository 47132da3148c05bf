import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** The sweep looks for the conversations of removed conferences, and of no others. */
export const removedConferences: Migration = async db => {
  await sql`CREATE INDEX conferences_removed ON conferences (tag) WHERE removed = 1`.execute(db)
}
