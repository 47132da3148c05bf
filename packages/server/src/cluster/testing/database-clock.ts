import { type Kysely, sql } from 'kysely'

/** A clock in the database, which a test moves: every connection sees the same time. */
export async function createDatabaseClock(db: Kysely<never>, startMs = 1_700_000_000_000) {
  await sql`DROP TABLE IF EXISTS test_clock`.execute(db)
  await sql`CREATE TABLE test_clock (now_ms bigint NOT NULL)`.execute(db)
  await sql`INSERT INTO test_clock VALUES (${startMs})`.execute(db)
  return {
    nowMs: sql<number>`(SELECT now_ms FROM test_clock)`,
    pass: async (ms: number) => {
      await sql`UPDATE test_clock SET now_ms = now_ms + ${ms}`.execute(db)
    },
  }
}
