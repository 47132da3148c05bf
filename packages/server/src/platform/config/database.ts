import { ConfigError } from './ini.ts'
import { type Key, text } from './values.ts'

/** Whether the stores are in a PostgreSQL database; otherwise they are SQLite files. */
export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:\/\//i.test(location)

/** An SQLite file or the address of a PostgreSQL database, which may hold a password; error messages contain no part of it. */
export const database = (description: string): Key<string> => ({
  ...text(description),
  isSecret: true,
  form: 'a path, or an address postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  parse: value => {
    if (isPostgresUrl(value) ? URL.canParse(value) : !/^[a-z]{2,}:\/\//i.test(value)) return value
    throw new Error('the path of an SQLite file, or an address postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  },
})

interface DbSettings {
  Url: string
  IntegrationDb: string
}

/** Both stores are in one PostgreSQL database, or each in a file of its own. `path` makes the path of a file absolute. */
export function locateStores<Db extends DbSettings>(
  db: Db,
  path: (value: string) => string,
  inDataDir: (name: string) => string,
): Db {
  if (!isPostgresUrl(db.Url)) {
    const Url = path(db.Url.replace(/^sqlite:/, '')) || inDataDir('lectern.db')
    const IntegrationDb = path(db.IntegrationDb) || inDataDir('integration.db')
    if (Url === IntegrationDb)
      throw new ConfigError('[Db] Url and IntegrationDb are two databases: they need different files')
    return { ...db, Url, IntegrationDb }
  }
  if (db.IntegrationDb !== '')
    throw new ConfigError(
      '[Db] IntegrationDb is for SQLite: with a postgres:// Url both stores are in that database',
    )
  return { ...db, IntegrationDb: db.Url }
}
