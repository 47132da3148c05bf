import type { Kysely } from 'kysely'
import type { Dialect, Store } from './store.ts'

export type Migration = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>

/** Data of a newer version, which this one would misread. */
export class NewerVersion extends Error {
  readonly code = 'NEWER_VERSION'

  constructor() {
    super('The database was written by a newer version of Lectern.')
  }
}

/**
 * Runs pending migrations in order, all in one transaction, so that a store is never left half-migrated. Rejects a store
 * that a newer version has written.
 */
export async function migrate<Schema>(store: Store<Schema>, migrations: readonly Migration[]): Promise<void> {
  const { dialect } = store
  await dialect.alone(store.db as unknown as Kysely<unknown>, async db => {
    const version = await dialect.readVersion(db)
    if (version > migrations.length) throw new NewerVersion()
    for (const migration of migrations.slice(version)) await migration(db, dialect)
    if (version < migrations.length) await dialect.writeVersion(db, migrations.length)
  })
}
