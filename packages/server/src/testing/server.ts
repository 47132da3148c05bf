import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capability, UserKind } from '@lectern/protocol'
import type { RawBuilder } from 'kysely'
import { type Config, loadConfig, startServer } from '../main.ts'
import { type Operator, openOperator } from '../operator.ts'
import { isPostgresUrl } from '../platform/config/database.ts'
import { openIntegrationStore, openMainStore } from '../platform/db/open.ts'
import type { IntegrationSchema, MainSchema } from '../platform/db/schema.ts'
import type { Store } from '../platform/db/store.ts'
import { createLog } from '../platform/log.ts'
import { callDocumented } from './documented.ts'
import type { Answer, Call } from './http.ts'
import { postgresDatabaseOf, usesPostgres } from './location.ts'
import { Partner } from './partner.ts'
import { JWT_SECRET } from './routes.ts'
import { createSqliteStore } from './sqlite.ts'

export { JWT_SECRET }

/** Settings as in the configuration file, section by section. */
export type Settings = Record<string, Record<string, string>>

export interface TestServer {
  url: string
  config: Config
  /** The operator's commands, beside the running service. */
  operator: Operator
  /** All log lines so far; the default level logs nothing. */
  log: () => string
  /** Throws if the OpenAPI document does not have the answer. */
  call: (method: string, path: string, options?: Call) => Promise<Answer>
  /** A technical user with a service account, and its token. */
  addPartner: (name: string, settings?: { user?: string; scopes?: string[] }) => Promise<Partner>
  addUser: (
    login: string,
    settings?: { password?: string; kind?: UserKind; capabilities?: Capability[] },
  ) => Promise<{ id: number; login: string; password: string }>
  /** Rows of a query in a store, beside the running service; not after it was stopped. */
  query: <Row>(store: 'main' | 'integration', text: RawBuilder<Row>) => Promise<Row[]>
  /** Puts the clock of the service forward; the operator's commands keep theirs. */
  advance: (ms: number) => void
  /** Stops the service and leaves its files. */
  stop: () => Promise<void>
  /** Stops the service and removes its files. */
  close: () => Promise<void>
}

/**
 * Starts the real service on a free port, with databases in its own folder; with LECTERN_TEST_DB=postgres in the
 * environment, in a PostgreSQL database, which another start in the same folder uses again.
 */
export async function startTestServer(overrides: Settings = {}, folder?: string): Promise<TestServer> {
  const dir = folder ?? mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const database = usesPostgres() ? await postgresDatabaseOf(dir) : null
  const config = loadConfig(
    writeConfig(dir, database ? withDatabase(overrides, database.url) : overrides),
    {},
  )
  if (!isPostgresUrl(config.Db.Url)) {
    await createSqliteStore('main', config.Db.Url)
    if (config.Integration.Enabled) await createSqliteStore('integration', config.Db.IntegrationDb)
  }
  const log: string[] = []
  const capture = { write: (line: string) => log.push(line) }
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const { url, close } = await startServer(config, createLog(config.Server.LogLevel, capture), clock)
  const operator = await openOperator(config)
  const send: TestServer['call'] = (method, path, options) => callDocumented(url, method, path, options)

  const addUser: TestServer['addUser'] = async (login, settings = {}) => {
    const { user, password } = await operator.users.add(login, settings)
    return { id: user.id, login: user.login, password: settings.password ?? password ?? '' }
  }
  const beside = new Map<'main' | 'integration', Promise<Store<MainSchema> | Store<IntegrationSchema>>>()
  const query: TestServer['query'] = async (name, text) => {
    const opened = beside.get(name)
    const store =
      opened ??
      (name === 'main' ? openMainStore(config.Db.Url) : openIntegrationStore(config.Db.IntegrationDb))
    beside.set(name, store)
    return (await text.execute((await store).db)).rows
  }
  const stop = async () => {
    await close()
    await operator.close()
    for (const store of beside.values()) await (await store).close()
    beside.clear()
  }
  return {
    url,
    config,
    operator,
    log: () => log.join(''),
    call: send,
    query,
    addUser,
    advance: ms => {
      aheadMs += ms
    },
    addPartner: async (name, { user, scopes = ['integration:rooms'] } = {}) => {
      const login = user ?? (await addUser(`${name}-robot`, { kind: 'technical' })).login
      const { account, clientSecret } = await operator.serviceAccounts.add(name, login, scopes)
      return Partner.open(send, account, clientSecret)
    },
    stop,
    close: async () => {
      await stop()
      await database?.drop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const withDatabase = (settings: Settings, Url: string): Settings => ({ ...settings, Db: { Url } })

function writeConfig(dir: string, overrides: Settings): string {
  const settings: Settings = {
    ...overrides,
    Server: {
      Port: '0',
      JwtSecret: JWT_SECRET,
      DataDir: join(dir, 'data'),
      LogLevel: 'silent',
      ...overrides.Server,
    },
    Integration: { Enabled: '1', ...overrides.Integration },
    Media: { Workers: '1', ...overrides.Media },
    Recorder: { Embedded: '0', ...overrides.Recorder },
    Transcriber: { Embedded: '0', ...overrides.Transcriber },
    Converter: { Embedded: '0', ...overrides.Converter },
    Limits: { Enabled: '0', ...overrides.Limits },
  }
  const lines = Object.entries(settings).flatMap(([section, keys]) => [
    `[${section}]`,
    ...Object.entries(keys).map(([key, value]) => `${key} = ${value}`),
  ])
  const file = join(dir, 'lectern.ini')
  writeFileSync(file, lines.join('\n'))
  return file
}
