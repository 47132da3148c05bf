import type { Config } from '../../platform/config/index.ts'
import { type DatabaseState, type Finding, fail, ok, warn } from './check.ts'

/** The oldest one of docs/postgresql.md; its makers mended it until November 2026. */
const OLDEST_VERSION = 140_000
/** For leases and locks, and for the administrators of the database, backups and other programs. */
const SPARE_CONNECTIONS = 13

/** Problems of a PostgreSQL database, which is named without user and password. */
export function checkPostgres({ Db, Integration }: Config, state: DatabaseState | { error: Error }): Finding {
  const { host, pathname } = new URL(Db.Url)
  const name = `PostgreSQL at ${host}${pathname}`
  if ('error' in state)
    return fail(
      `${name} cannot be used: ${state.error.message}`,
      'Check [Db] Url, and that the database accepts connections.',
    )
  const { version, versionName, encoding } = state
  if (version < OLDEST_VERSION)
    return fail(`${name} has version ${versionName}.`, 'Use PostgreSQL 14 or newer.')
  if (encoding !== 'UTF8')
    return fail(`${name} has the encoding ${encoding}.`, 'Create the database with ENCODING UTF8.')
  if (state.isReadOnly)
    return fail(`${name} is read-only.`, 'Use the primary server, and default_transaction_read_only = off.')
  if (!state.hasUnicodeCollation)
    return warn(`${name} has no ICU collations: searches fail.`, 'Use a PostgreSQL that was built with ICU.')
  const needed = Db.MaxConnections * (Integration.Enabled ? 2 : 1) + SPARE_CONNECTIONS
  if (needed > state.maxConnections)
    return warn(
      `${name} allows ${state.maxConnections} connections; one server may need ${needed}.`,
      'Raise max_connections of the database, or lower [Db] MaxConnections.',
    )
  return ok(
    `${name}, version ${versionName}${state.hasStores ? '' : '; tables are created at the first start'}`,
  )
}
