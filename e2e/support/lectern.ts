import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PartnerClient, type PartnerClientOptions } from '@lectern/partner'
import { afterEach, beforeAll } from 'vitest'
import { inCheckout, useFolders } from './folders.ts'
import { type Exit, type Program, usePrograms } from './program.ts'

type Settings = Record<string, string>
export type Account = Pick<PartnerClientOptions, 'serviceAccount' | 'clientSecret'>

export const LECTERN = inCheckout('packages/cli/bin/lectern.js')

const INI = `
[Server]
Port = 0
JwtSecret = an-example-secret-of-enough-characters
[Integration]
Enabled = 1
`

/** What the service said last, for whoever has to find out why a story failed. */
const LINES_OF_A_FAILURE = 40

/** For stories about something else in which people come by the plain link of a partner's room. */
export const PLAIN_LINK_OPEN = { SVC_INTEGRATION_PLAIN_LINK: 'open' }

/** Most stories are about something else, and these machines are small. */
const WITHOUT_WORKERS = { SVC_RECORDER_EMBEDDED: '0', SVC_TRANSCRIBER_EMBEDDED: '0' }

/**
 * The real service, run for the tests of one file. Settings are environment variables, asked for at the start; it
 * has the workers that they ask for.
 */
export function useLectern(settings: () => Settings = () => ({})): Lectern {
  const makeFolder = useFolders()
  const lectern = new Lectern(usePrograms(), makeFolder, settings)
  beforeAll(() => lectern.start())
  afterEach(({ task }) => {
    if (task.result?.state === 'fail')
      console.log(lectern.log.split('\n').slice(-LINES_OF_A_FAILURE).join('\n'))
  })
  return lectern
}

export class Lectern {
  readonly #run: ReturnType<typeof usePrograms>
  readonly #makeFolder: () => string
  readonly #settings: () => Settings
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

  /** Starts the service: the first time on any free port, then on the same data and the same port. */
  async start(): Promise<void> {
    ensureBuilt()
    if (!this.#folder) {
      this.#folder = this.#makeFolder()
      writeFileSync(join(this.#folder, 'lectern.ini'), INI)
    }
    const port: Settings = this.#url ? { SVC_SERVER_PORT: new URL(this.#url).port } : {}
    this.#program = this.#lectern(['serve'], port)
    const [line] = await this.#program.prints(/^\{.*\}$/m)
    this.#url = JSON.parse(line).url
  }

  /** Ends the service and gives its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    return this.#running.kill(signal)
  }

  /** Runs a command to its end, and gives the object that it prints. */
  async command(...args: string[]): Promise<Record<string, string>> {
    const program = this.#lectern([...args, '--json'])
    const { code } = await program.ended
    if (code !== 0) throw new Error(`lectern ${args.join(' ')}: exit ${code}, ${program.stderr}`)
    return JSON.parse(program.stdout)
  }

  /** A partner's account, made as an operator makes it. */
  async addAccount(name = 'school', scopes = ['integration:rooms']): Promise<Account> {
    await this.command('user', 'add', `${name}-backend`, '--kind', 'technical')
    const scope = scopes.flatMap(each => ['--scope', each])
    const made = await this.command('service-account', 'add', name, '--user', `${name}-backend`, ...scope)
    return { serviceAccount: String(made.service_account), clientSecret: String(made.client_secret) }
  }

  client(account: Account, options: Partial<PartnerClientOptions> = {}): PartnerClient {
    return new PartnerClient({ baseUrl: this.url, ...account, ...options })
  }

  #lectern(args: string[], env: Settings = {}): Program {
    const config = ['--config', join(this.#folder, 'lectern.ini')]
    return this.#run(process.execPath, [LECTERN, ...args, ...config], {
      cwd: this.#folder,
      env: { ...WITHOUT_WORKERS, ...this.#settings(), ...env },
    })
  }
}

export function ensureBuilt() {
  const modifiedAt = (path: string) => (existsSync(inCheckout(path)) ? statSync(inCheckout(path)).mtimeMs : 0)
  const packages = readdirSync(inCheckout('packages'))
  const compiledAt = Math.max(...packages.map(name => modifiedAt(`packages/${name}/dist/.tsbuildinfo`)))
  // Programs are bundles: what was compiled later is not in them.
  if (modifiedAt('packages/cli/dist/lectern.js') < compiledAt || !modifiedAt('packages/web/dist/index.html'))
    throw new Error('Not built: run "npm run build" before these tests.')
}
