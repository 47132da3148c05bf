import { join } from 'node:path'
import { queryPostgres, startPostgres } from '@lectern/server/testing'

/** Empty databases, durable as in the service. */
export interface Databases {
  title: string
  /** The main store and the store of the partner module. */
  create(name: string): Promise<[main: string, integration: string]>
  stop(): Promise<void>
}

/** PostgreSQL as it is installed, but for what is switched off in tests. */
const DURABLE = {
  ...{ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' },
  max_wal_size: '4GB',
}

/** `folder` must be one that the user `postgres` can reach. */
export async function openDatabases(folder: string): Promise<Databases[]> {
  const postgres = await startPostgres(join(folder, 'postgres'), DURABLE)
  return [
    {
      title: 'SQLite',
      create: async name => [join(folder, `${name}.db`), join(folder, `${name}-integration.db`)],
      stop: async () => {},
    },
    {
      title: 'PostgreSQL',
      create: async name => {
        await queryPostgres(postgres.url, `CREATE DATABASE ${name}`)
        return [postgres.urlOf(name), postgres.urlOf(name)]
      },
      stop: () => postgres.stop(),
    },
  ]
}
