import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PartnerClient, type PartnerClientOptions } from '@lectern/partner'
import { freePort, queryPostgres } from '@lectern/server/testing'
import { Program } from '../child-program.ts'
import type { UserSettings } from '../lectern.ts'
import { Balancer } from './balancer.ts'
import { type Engines, startEngines } from './engines.ts'
import { ClusterNode } from './node.ts'

export interface ClusterOptions {
  /** All data and logs are below it. */
  folder: string
  servers: number
  mediaNodes: number
  recorders: number
  /** Further settings of all servers and media nodes, as environment variables. */
  settings?: Record<string, string>
  /** Further settings of one server. */
  settingsOf?: (server: ClusterServer) => Promise<Record<string, string>>
  /** Further settings of one media node. */
  settingsOfNode?: (name: string) => Record<string, string>
  /** The file of the command line that runs a server or media node; by default the present one. */
  programOf?: (name: string) => string
  /** How often a program that ends by itself is started again. */
  restarts?: number
  /** Receives one line for each program that starts or ends. */
  onLine?: (line: string) => void
}

export interface ClusterServer {
  name: string
  host: string
  port: number
  url: string
  node: ClusterNode
  /** What its `/readyz` says. */
  isReady: boolean
  /** How many checks in succession had no answer. */
  unanswered: number
}

/** How often load balancers check servers. */
const HEALTH_INTERVAL_MS = 500
/** So many in succession mean that a server hangs. */
const UNANSWERED_MAX = 8

type Account = Pick<PartnerClientOptions, 'serviceAccount' | 'clientSecret'>

const repository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const LECTERN = repository('packages/cli/bin/lectern.js')
const RECORDER = repository('packages/recorder/dist/recorder.js')
const READY = /^\{.*"ready".*\}$/m
const WORKER_READY = /worker ready/

/** A cluster on this machine: each program has an address of its own, as machines have. */
export class Cluster {
  readonly engines: Engines
  readonly servers: ClusterServer[] = []
  readonly mediaNodes: ClusterNode[] = []
  readonly recorders: ClusterNode[] = []
  readonly #options: ClusterOptions
  readonly #secret = randomBytes(32).toString('hex')
  readonly #balancers: Balancer[] = []
  #turn = 0
  #health: ReturnType<typeof setInterval> | undefined
  /** In front of all servers, in turn. */
  balancer!: Balancer

  private constructor(options: ClusterOptions, engines: Engines) {
    this.#options = options
    this.engines = engines
  }

  /** Starts everything; resolves when all programs are ready. Stops what it has started if it fails. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    mkdirSync(options.folder, { recursive: true })
    const engines = await startEngines(join(options.folder, 'engines'), options.onLine)
    const cluster = new Cluster(options, engines)
    try {
      await cluster.#start()
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  get folder(): string {
    return this.#options.folder
  }

  /** All programs but the engines. */
  get nodes(): ClusterNode[] {
    return [...this.recorders, ...this.servers.map(({ node }) => node), ...this.mediaNodes]
  }

  /** A load balancer of its own that prefers a server, and uses the others while that one is away. */
  async entryAt(preferred: number): Promise<string> {
    const order = () => [...this.servers.slice(preferred), ...this.servers.slice(0, preferred)]
    return (await this.#balance(order)).url
  }

  /** Runs a command of the command line with the settings of the first server; returns the JSON that it prints. */
  async command(...args: string[]): Promise<Record<string, unknown>> {
    const [server] = this.servers
    const env = { ...this.#settings(), ...(server && (await this.#settingsOf(server))) }
    const program = new Program(process.execPath, [LECTERN, ...args, '--json'], {
      cwd: this.#options.folder,
      env,
    })
    const { code } = await program.ended
    if (code !== 0) throw new Error(`lectern ${args.join(' ')}: exit ${code}, ${program.stderr}`)
    return JSON.parse(program.stdout)
  }

  /** Creates an account of a person, and returns its password. */
  async addUser(login: string, { name = login }: UserSettings): Promise<string> {
    const { password } = await this.command('user', 'add', login, '--name', name)
    return String(password)
  }

  /** Creates an account of a partner. */
  async addAccount(name: string, scopes: string[]): Promise<Account> {
    await this.command('user', 'add', `${name}-backend`, '--kind', 'technical')
    const scope = scopes.flatMap(each => ['--scope', each])
    const created = await this.command('service-account', 'add', name, '--user', `${name}-backend`, ...scope)
    return { serviceAccount: String(created.service_account), clientSecret: String(created.client_secret) }
  }

  partner(account: Account): PartnerClient {
    return new PartnerClient({ baseUrl: this.balancer.url, ...account })
  }

  /** Rows of the main store. */
  query<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
    return queryPostgres<Row>(this.engines.postgres.url, text, values)
  }

  /** The server that owns the open session of a conference. */
  async ownerOf(tag: string): Promise<ClusterServer> {
    const [row] = await this.query<{ server_id: string | null }>(
      `SELECT server_id FROM lectern.conference_sessions AS session LEFT JOIN lectern.server_leases AS lease ON lease.id = session.owner
       WHERE tag = $1 AND ended_at_ms IS NULL AND is_dead = 0`,
      tag,
    )
    // The id is the name and what differs at each start.
    const server = this.servers.find(({ name }) => row?.server_id?.replace(/-[^-]*$/, '') === name)
    if (!server) throw new Error(`no server owns ${tag}`)
    return server
  }

  /** Ends all programs, last started first. */
  async stop(): Promise<void> {
    clearInterval(this.#health)
    await Promise.all(this.nodes.map(node => node.stop().catch(() => node.kill())))
    await Promise.all(this.#balancers.map(balancer => balancer.close()))
    await this.engines.stop()
  }

  async #start(): Promise<void> {
    const { servers, mediaNodes, recorders } = this.#options
    this.balancer = await this.#balance(() => this.#inTurn())
    for (let i = 1; i <= mediaNodes; i++)
      this.mediaNodes.push(this.#mediaNode(`media-${i}`, `127.0.0.${20 + i}`))
    for (let i = 1; i <= servers; i++)
      this.servers.push(await this.#server(`server-${i}`, `127.0.0.${10 + i}`))
    await Promise.all(this.mediaNodes.map(node => node.start()))
    // The first server creates the tables; the others would wait for it.
    for (const { node } of this.servers) await node.start()
    for (let i = 1; i <= recorders; i++)
      this.recorders.push(await this.#recorder(`recorder-${i}`, `127.0.0.${30 + i}`))
    await Promise.all(this.recorders.map(node => node.start()))
    this.#health = setInterval(() => void this.#checkHealth(), HEALTH_INTERVAL_MS)
  }

  /** Servers that are not ready come last. */
  async #balance(order: () => ClusterServer[]): Promise<Balancer> {
    const readyFirst = () => order().sort((a, b) => Number(b.isReady) - Number(a.isReady))
    const balancer = await new Balancer(readyFirst).listen()
    this.#balancers.push(balancer)
    return balancer
  }

  async #checkHealth(): Promise<void> {
    await Promise.all(
      this.servers.map(async server => {
        const signal = AbortSignal.timeout(HEALTH_INTERVAL_MS)
        const isReady = await fetch(`${server.url}/readyz`, { signal }).then(
          response => response.ok,
          () => null,
        )
        // Once without an answer it is busy, or away, which a connection shows; several times it hangs.
        server.unanswered = isReady === null ? server.unanswered + 1 : 0
        server.isReady = isReady ?? server.unanswered < UNANSWERED_MAX
      }),
    )
  }

  #inTurn(): ClusterServer[] {
    const first = this.#turn++ % this.servers.length
    return [...this.servers.slice(first), ...this.servers.slice(0, first)]
  }

  async #server(name: string, host: string): Promise<ClusterServer> {
    const port = await freePort(host)
    const server: ClusterServer = {
      name,
      host,
      port,
      url: `http://${host}:${port}`,
      node: null as never,
      isReady: true,
      unanswered: 0,
    }
    const env = { ...this.#settings(), ...(await this.#settingsOf(server)) }
    server.node = this.#node(name, () => [this.#programOf(name), 'serve'], env, READY)
    return server
  }

  #mediaNode(name: string, host: string): ClusterNode {
    const env = {
      ...this.#settings(),
      SVC_CLUSTER_NAME: name,
      SVC_MEDIA_LISTEN_IP: host,
      SVC_MEDIA_NODE_PORT: '0',
      ...this.#options.settingsOfNode?.(name),
    }
    return this.#node(name, () => [this.#programOf(name), 'media-node'], env, READY)
  }

  async #recorder(name: string, host: string): Promise<ClusterNode> {
    const password = randomBytes(16).toString('hex')
    const capability = ['--kind', 'worker', '--capability', 'jobs.recorder']
    await this.command('user', 'add', name, ...capability, '--password', password)
    const env = {
      SVC_WORKER_URL: this.balancer.url,
      SVC_WORKER_FOLDER: this.#folderOf(name),
      SVC_WORKER_LOGIN: name,
      SVC_WORKER_PASSWORD: password,
      SVC_WORKER_MEDIA_IP: host,
    }
    return this.#node(name, () => [RECORDER], env, WORKER_READY)
  }

  #programOf(name: string): string {
    return this.#options.programOf?.(name) ?? LECTERN
  }

  #node(name: string, args: () => string[], env: Record<string, string>, isReady: RegExp): ClusterNode {
    const { restarts, onLine } = this.#options
    return new ClusterNode({
      name,
      args,
      env,
      cwd: this.#folderOf(name),
      isReady,
      ...(restarts !== undefined && { restarts }),
      ...(onLine && { onLine }),
    })
  }

  #folderOf(name: string): string {
    const folder = join(this.#options.folder, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  #settings(): Record<string, string> {
    return {
      ...this.engines.settings,
      SVC_SERVER_JWT_SECRET: this.#secret,
      SVC_INTEGRATION_ENABLED: '1',
      SVC_INTEGRATION_PUBLIC_URL: this.balancer.url,
      SVC_RECORDER_EMBEDDED: '0',
      SVC_TRANSCRIBER_EMBEDDED: '0',
      SVC_CONVERTER_EMBEDDED: '0',
      SVC_MEDIA_WORKERS: '1',
      ...(this.#options.mediaNodes > 0 && { SVC_CLUSTER_MEDIA_NODES: '1' }),
      ...this.#options.settings,
    }
  }

  async #settingsOf(server: ClusterServer): Promise<Record<string, string>> {
    const { name, host, port, url } = server
    return {
      SVC_SERVER_HOST: host,
      SVC_SERVER_PORT: String(port),
      SVC_SERVER_DATA_DIR: this.#folderOf(name),
      SVC_CLUSTER_NAME: name,
      SVC_CLUSTER_ADVERTISE: url,
      SVC_MEDIA_LISTEN_IP: host,
      ...(await this.#options.settingsOf?.(server)),
    }
  }
}
