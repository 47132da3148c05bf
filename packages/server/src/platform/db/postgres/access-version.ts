import { type Kysely, sql } from 'kysely'
import { prepared } from '../prepared.ts'

/** The schema of the main store. */
export const MAIN_SCHEMA = 'lectern'
/** The name of the table with the counter, and of the function of the triggers that increment it. */
export const ACCESS_VERSION = 'access_version'

interface CounterSchema {
  [ACCESS_VERSION]: { version: number }
}

/** Does nothing if it exists: a user of the database who may not create schemas needs no permission then. */
export async function createSchema(db: Kysely<unknown>, name: string): Promise<void> {
  const { rows } = await sql`SELECT 1 FROM pg_namespace WHERE nspname = ${name}`.execute(db)
  if (rows.length === 0) await sql`CREATE SCHEMA ${sql.id(name)}`.execute(db)
}

/**
 * Creates the counter of changes that revoke access, which both stores share. It changes in the transaction of the change,
 * so nobody sees the new number while the old data still counts.
 */
export async function createAccessVersion(db: Kysely<unknown>): Promise<void> {
  const [counter, bump] = [sql.id(MAIN_SCHEMA, ACCESS_VERSION), sql.id(MAIN_SCHEMA, ACCESS_VERSION)]
  await createSchema(db, MAIN_SCHEMA)
  await sql`CREATE TABLE IF NOT EXISTS ${counter} (version bigint NOT NULL)`.execute(db)
  await sql`INSERT INTO ${counter} SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${counter})`.execute(db)
  await sql`
    CREATE OR REPLACE FUNCTION ${bump}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE lectern.access_version SET version = version + 1;
      RETURN NULL;
    END $$`.execute(db)
}

/** Reads the counter. */
export function accessVersionReader(db: Kysely<unknown>): () => Promise<number> {
  const counter = db.withSchema(MAIN_SCHEMA) as unknown as Kysely<CounterSchema>
  const select = prepared(db as unknown as Kysely<CounterSchema>, () =>
    counter.selectFrom(ACCESS_VERSION).select('version'),
  )
  return async () => (await select())[0]?.version ?? 0
}
