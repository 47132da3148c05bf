import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, run, start } from './program.ts'

const here = dirname(fileURLToPath(import.meta.url))
const lectern = join(here, '../../packages/cli/bin/lectern.js')
const INI = `
[Server]
Port = 0
JwtSecret = ${'x'.repeat(40)}
[Integration]
Enabled = 1
PlainLink = open
[Limits]
Enabled = 0
[Recorder]
Embedded = 0
[Converter]
Embedded = 0
[Transcriber]
Embedded = 0
`

/** The service without rate limits, because all clients have one address, and without workers. */
export interface Service {
  url: string
  configFile: string
  program: Program
  account: { serviceAccount: string; clientSecret: string }
  /** Restarts it with the same data and port. */
  again(): Promise<Program>
}

interface Options {
  scopes?: string[]
  /** Further settings as environment variables. */
  settings?: Record<string, string>
}

export async function startService(
  folder: string,
  { scopes = ['integration:rooms'], settings = {} }: Options = {},
): Promise<Service> {
  const configFile = join(folder, 'lectern.ini')
  const config = ['--config', configFile]
  writeFileSync(configFile, INI)
  const account = await addAccount({ configFile }, 'bench', { scopes, settings })
  // Node options, e.g. --cpu-prof.
  const options = process.env.LECTERN_NODE_OPTIONS?.split(' ') ?? []
  const serve = (env = {}) => start([...options, lectern, 'serve', ...config], { ...settings, ...env })
  const program = await serve()
  const { url } = JSON.parse(program.line) as { url: string }
  return {
    url,
    configFile,
    program,
    account,
    again: () => serve({ SVC_SERVER_PORT: new URL(url).port }),
  }
}

/** A service account with a technical user of the same name. */
export async function addAccount(
  { configFile }: Pick<Service, 'configFile'>,
  name: string,
  { scopes = ['integration:rooms'], settings = {} }: Options = {},
): Promise<Service['account']> {
  const config = ['--config', configFile]
  await run([lectern, 'user', 'add', name, ...config], settings)
  const scope = scopes.flatMap(each => ['--scope', each])
  const add = ['service-account', 'add', name, '--user', name, ...scope, '--json']
  const { client_secret } = JSON.parse(await run([lectern, ...add, ...config], settings)) as {
    client_secret: string
  }
  return { serviceAccount: name, clientSecret: client_secret }
}

export const addUser = (
  { configFile }: Service,
  login: string,
  password: string,
  ...options: string[]
): Promise<string> =>
  run([lectern, 'user', 'add', login, '--password', password, ...options, '--config', configFile])

/** A token of the service account. */
export async function signIn({ url, account }: Pick<Service, 'url' | 'account'>): Promise<string> {
  const answer = await fetch(`${url}/api/v1/integration/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_account: account.serviceAccount, client_secret: account.clientSecret }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
