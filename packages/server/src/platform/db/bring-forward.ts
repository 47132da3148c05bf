import { type Kysely, type RawBuilder, sql } from 'kysely'

/** What a `LeaseStore` does when the clock was set back, for the rows of a table that wait. */
export async function bringForward<Schema>(
  db: Kysely<Schema>,
  table: string,
  isWaiting: RawBuilder<boolean>,
  { byMs, nowMs }: { byMs: number; nowMs: number },
): Promise<void> {
  await sql`
    UPDATE ${sql.table(table)} SET next_attempt_at_ms = next_attempt_at_ms - ${byMs}
    WHERE next_attempt_at_ms > ${nowMs} AND ${isWaiting}`.execute(db)
}
