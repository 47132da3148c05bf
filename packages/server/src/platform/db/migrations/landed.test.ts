import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { type Migration, migrate } from '../migrate.ts'
import { openSqlite } from '../sqlite/open.ts'
import { integrationMigrations } from './integration.ts'
import { mainMigrations } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-landed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A line for each migration, with a hash of the schema after it. */
async function schemas(name: string, migrations: readonly Migration[]): Promise<string> {
  const file = join(folder, `${name}.db`)
  const store = openSqlite(file)
  const reader = new Database(file)
  const lines: string[] = []
  for (const count of migrations.keys()) {
    await migrate(store, migrations.slice(0, count + 1))
    const definitions = reader.prepare('SELECT sql FROM sqlite_master ORDER BY type, name').pluck().all()
    const hash = createHash('sha256').update(definitions.join('\n')).digest('hex')
    lines.push(`${count + 1} ${hash.slice(0, 12)}\n`)
  }
  reader.close()
  await store.close()
  return lines.join('')
}

/**
 * Stores of every landed state are upgraded as new ones are made: a migration that has landed stays as it is, and changes are
 * further migrations. `npx vitest run --project unit landed --update` adds their lines; no other line may change.
 */
it.each([
  ['main', mainMigrations],
  ['integration', integrationMigrations],
])('migrations of the %s store that have landed never change', async (name, migrations) => {
  await expect(await schemas(name, migrations)).toMatchFileSnapshot(`./landed-${name}.txt`)
})
