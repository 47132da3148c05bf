import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ControlClient, platformEnvironment } from '@lectern/control-client'
import type { Capability } from '@lectern/protocol'
import { type AccountState, accountStream } from '@lectern/protocol/control'
import { WebSocket } from 'ws'
import { addressOf } from '../cluster/testing.ts'
import { type Config, loadConfig, startServer } from '../main.ts'
import { type RunningMediaNode, startMediaNode } from '../media-node.ts'
import { type Operator, openOperator } from '../operator.ts'
import { createLog } from '../platform/log.ts'
import { borrowTestDatabase } from './database.ts'
import { callDocumented } from './documented.ts'
import { freePort } from './free-port.ts'
import type { Answer, Call } from './http.ts'
import { type NatsServer, startNats } from './nats.ts'
import { JWT_SECRET } from './server.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A whole server of the cluster, in this process. */
export interface ClusterServer {
  name: string
  url: string
  /** The only way of the server to NATS. */
  nats: TcpProxy
  /** The only way of the server to PostgreSQL. */
  db: TcpProxy
  /** The only way of other servers to it. */
  link: TcpProxy
  log(): string
  /** Throws if the OpenAPI document does not have the answer. */
  call(method: string, path: string, options?: Call): Promise<Answer>
  stop(): Promise<void>
  start(): Promise<void>
}

export interface TestCluster {
  servers: ClusterServer[]
  nats: NatsServer
  operator: Operator
  /** The address of the database, past all proxies. */
  dbUrl: string
  /** Creates an account. */
  addUser(login: string, capabilities?: Capability[]): Promise<TestAccount>
  close(): Promise<void>
}

export interface TestAccount {
  id: number
  login: string
  password: string
}

type Overrides = Record<string, Record<string, string>>

interface TestClusterOptions {
  /** The media is on a media node. */
  hasMediaNode?: boolean
  /** How far the clocks of servers are wrong, by name. */
  skewMs?: Record<string, number>
  /** `[Server] JwtSecret`, by name, where it is another one. */
  secrets?: Record<string, string>
  /** Those that are not started with the others. */
  stopped?: string[]
  /** Those that have a database of their own, as another installation has. */
  elsewhere?: string[]
}

/** Servers with one PostgreSQL database, one NATS and one folder of files. */
export async function startTestCluster(
  names: string[],
  overrides: Overrides = {},
  { hasMediaNode = false, skewMs = {}, secrets = {}, stopped = [], elsewhere = [] }: TestClusterOptions = {},
): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-cluster-'))
  const database = await borrowTestDatabase()
  const another = elsewhere.length > 0 ? await borrowTestDatabase() : null
  const nats = await startNats()
  const configOf = (name: string, dbUrl = database.url) => {
    const Server = { ...overrides.Server, ...(secrets[name] && { JwtSecret: secrets[name] }) }
    const config = configFor(folder, name, dbUrl, { ...overrides, Server })
    return { ...config, Cluster: { ...config.Cluster, MediaNodes: hasMediaNode } }
  }
  const servers: ClusterServer[] = []
  for (const name of names) {
    const own = elsewhere.includes(name) && another ? another.url : database.url
    const db = await startTcpProxy(() => Number(new URL(own).port))
    const url = new URL(own)
    url.port = String(db.port)
    servers.push(await createServerOf(name, configOf(name, url.href), nats, db, skewMs[name] ?? 0))
  }
  const mediaNode = hasMediaNode ? await startNode(configOf('media'), nats) : null
  await Promise.all(servers.map(each => stopped.includes(each.name) || each.start()))
  const operator = await openOperator(configOf('operator'))
  return {
    servers,
    nats,
    operator,
    dbUrl: database.url,
    addUser: async (login, capabilities = []) => {
      const { user, password } = await operator.users.add(login, { name: login, capabilities })
      return { id: user.id, login, password: password ?? '' }
    },
    close: async () => {
      await Promise.all(servers.map(each => each.stop()))
      await Promise.all(servers.flatMap(({ nats, db, link }) => [nats.close(), db.close(), link.close()]))
      await mediaNode?.close()
      await operator.close()
      await nats.stop()
      await database.drop()
      await another?.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startNode(config: Config, { port }: NatsServer): Promise<RunningMediaNode> {
  const Cluster = { ...config.Cluster, Nats: [addressOf(`nats://127.0.0.1:${port}`)], Name: 'media' }
  const MediaNode = { ...config.MediaNode, Port: 0 }
  return startMediaNode({ ...config, Cluster, MediaNode }, createLog('silent'))
}

async function createServerOf(
  name: string,
  config: Config,
  nats: NatsServer,
  db: TcpProxy,
  skewMs: number,
): Promise<ClusterServer> {
  const port = await freePort()
  const link = await startTcpProxy(() => port)
  const url = `http://127.0.0.1:${port}`
  const proxy = await startTcpProxy(() => nats.port)
  const lines: string[] = []
  const Cluster = {
    ...config.Cluster,
    Nats: [addressOf(`nats://127.0.0.1:${proxy.port}`)],
    Advertise: `http://127.0.0.1:${link.port}`,
    Name: name,
  }
  const complete = { ...config, Cluster, Server: { ...config.Server, Port: port } }
  let running: { close(): Promise<void> } | null = null
  return {
    name,
    url,
    nats: proxy,
    db,
    link,
    log: () => lines.join(''),
    call: (method, path, options) => callDocumented(url, method, path, options),
    start: async () => {
      const log = createLog('info', { write: line => void lines.push(line) })
      running = await startServer(complete, log, () => Date.now() + skewMs)
    },
    stop: async () => {
      await running?.close()
      running = null
    },
  }
}

/**
 * The configuration of a single server: the cluster is added to it, because its database and files are shared without
 * S3.
 */
function configFor(folder: string, name: string, dbUrl: string, overrides: Overrides): Config {
  const settings: Overrides = {
    ...overrides,
    Server: { JwtSecret: JWT_SECRET, DataDir: join(folder, name), ...overrides.Server },
    Db: { Url: dbUrl, MaxConnections: '5' },
    Storage: { Url: join(folder, 'files') },
    Media: { Workers: '1' },
    Recorder: { Embedded: '0' },
    Converter: { Embedded: '0' },
    Transcriber: { Embedded: '0' },
    Limits: { Enabled: '0', ...overrides.Limits },
  }
  const lines = Object.entries(settings).flatMap(([section, keys]) => [
    `[${section}]`,
    ...Object.entries(keys).map(([key, value]) => `${key} = ${value}`),
  ])
  const file = join(folder, `${name}.ini`)
  writeFileSync(file, lines.join('\n'))
  return loadConfig(file, {})
}

/** A device of an account at one server, without a browser. */
export class ClusterDevice {
  readonly client: ControlClient
  readonly userId: number
  readonly login: string
  readonly token: string
  readonly events: string[] = []

  private constructor(server: ClusterServer, account: TestAccount, token: string) {
    this.userId = account.id
    this.login = account.login
    this.token = token
    this.client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
    })
    this.client.open()
  }

  static async connect(server: ClusterServer, account: TestAccount): Promise<ClusterDevice> {
    const { login, password } = account
    const { status, body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    if (status !== 200) throw new Error(`${login} cannot sign in: ${status} ${JSON.stringify(body)}`)
    return new ClusterDevice(server, account, body.access_token)
  }

  get target() {
    return { kind: 'account' as const, id: String(this.userId) }
  }

  /** Null before the first snapshot. */
  get state(): AccountState | null {
    return this.client.account(String(this.userId)).get() as AccountState | null
  }

  get stream(): string {
    return accountStream(String(this.userId))
  }

  close(): void {
    this.client.close()
  }
}
