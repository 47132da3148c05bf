import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mutex } from '@lectern/common'
import { PartnerClient, type PartnerClientOptions } from '@lectern/partner'
import { loadConfig, type Operator, openOperator } from '@lectern/server/operator'
import { afterEach, beforeAll } from 'vitest'
import { repositoryPath, useFolders } from './folders.ts'
import { noteOpened } from './opened.ts'
import { type Exit, type Program, usePrograms } from './program.ts'

type Settings = Record<string, string>
export type UserSettings = Omit<Parameters<Operator['users']['add']>[1], 'password'>
export type Account = Pick<PartnerClientOptions, 'serviceAccount' | 'clientSecret'>

export const LECTERN = repositoryPath('packages/cli/bin/lectern.js')

const INI = `
[Server]
Port = 0
JwtSecret = an-example-secret-of-enough-characters
[Integration]
Enabled = 1
`

/** The lines of the service log that are printed when a test fails. */
const FAILURE_LOG_LINES = 40

/** Lets visitors join by the plain room link without a lobby. */
export const PLAIN_LINK_OPEN = { SVC_INTEGRATION_PLAIN_LINK: 'open' }

/** Most stories need no recorder and transcriber, and no second media worker: each takes CPU time. */
const DEFAULTS = {
  SVC_RECORDER_EMBEDDED: '0',
  SVC_TRANSCRIBER_EMBEDDED: '0',
  SVC_CONVERTER_EMBEDDED: '0',
  SVC_MEDIA_WORKERS: '1',
}

/**
 * Runs the real service for the tests of a file. Settings are environment variables, read at each start;
 * recorder and transcriber run only if the settings enable them.
 */
export function useLectern(settings: () => Settings = () => ({})): Lectern {
  const makeFolder = useFolders()
  const lectern = new Lectern(usePrograms(), makeFolder, settings)
  beforeAll(() => lectern.start())
  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      console.log(lectern.log.split('\n').slice(-FAILURE_LOG_LINES).join('\n'))
  })
  return lectern
}

export class Lectern {
  readonly #run: ReturnType<typeof usePrograms>
  readonly #makeFolder: () => string
  readonly #settings: () => Settings
  /** Two connections of one thread to SQLite would wait for each other. */
  readonly #operating = new Mutex()
  #folder = ''
  #program: Program | null = null
  #url = ''

  constructor(run: ReturnType<typeof usePrograms>, makeFolder: () => string, settings: () => Settings) {
    this.#run = run
    this.#makeFolder = makeFolder
    this.#settings = settings
  }

  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#running.pid
  }

  get log(): string {
    return this.#running.stderr
  }

  get #running(): Program {
    if (!this.#program) throw new Error('The service is not started.')
    return this.#program
  }

  /** Starts the service: on a free port at first, then with the same data and port. */
  async start(): Promise<void> {
    ensureBuilt()
    if (!this.#folder) {
      this.#folder = this.#makeFolder()
      writeFileSync(join(this.#folder, 'lectern.ini'), INI)
    }
    const port: Settings = this.#url ? { SVC_SERVER_PORT: new URL(this.#url).port } : {}
    noteOpened('server')
    this.#program = this.#lectern(['serve'], port)
    const [line] = await this.#program.waitForOutput(/^\{.*\}$/m)
    this.#url = JSON.parse(line).url
  }

  /** Stops the service and returns its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    return this.#running.kill(signal)
  }

  /** Runs a command, and returns the JSON object that it prints. */
  async command(...args: string[]): Promise<Record<string, string>> {
    const program = this.#lectern([...args, '--json'])
    const { code } = await program.ended
    if (code !== 0) throw new Error(`lectern ${args.join(' ')}: exit ${code}, ${program.stderr}`)
    return JSON.parse(program.stdout)
  }

  /** Creates a service account. */
  async addAccount(name = 'school', scopes = ['integration:rooms']): Promise<Account> {
    const { clientSecret } = await this.#operate(async ({ users, serviceAccounts }) => {
      await users.add(`${name}-backend`, { kind: 'technical' })
      return serviceAccounts.add(name, `${name}-backend`, scopes)
    })
    return { serviceAccount: name, clientSecret }
  }

  /** Creates an account of a person or worker, and returns its password. An empty name is that of the login. */
  async addUser(login: string, settings: UserSettings): Promise<string> {
    const { name, ...more } = settings
    const { password = '' } = await this.#operate(({ users }) =>
      users.add(login, { ...more, ...(name && { name }) }),
    )
    return password
  }

  client(account: Account, options: Partial<PartnerClientOptions> = {}): PartnerClient {
    return new PartnerClient({ baseUrl: this.url, ...account, ...options })
  }

  #lectern(args: string[], env: Settings = {}): Program {
    return this.#run(process.execPath, [LECTERN, ...args, '--config', this.#configFile], {
      cwd: this.#folder,
      env: { ...this.#environment, ...env },
    })
  }

  /** What the command line does, without a process for each command, whose start takes longer than many a story. */
  #operate<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
    return this.#operating.run(async () => {
      const operator = await openOperator(loadConfig(this.#configFile, this.#environment))
      try {
        return await work(operator)
      } finally {
        await operator.close()
      }
    })
  }

  get #configFile(): string {
    return join(this.#folder, 'lectern.ini')
  }

  get #environment(): Settings {
    return { ...DEFAULTS, ...this.#settings() }
  }
}

export function ensureBuilt() {
  const outputs = ['packages/cli/dist/lectern.js', 'packages/web/dist/index.html']
  if (!outputs.every(path => existsSync(repositoryPath(path))))
    throw new Error('Not built: run "npm run build" before these tests.')
}
