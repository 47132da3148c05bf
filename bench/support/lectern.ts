import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, run, start } from './program.ts'

const here = dirname(fileURLToPath(import.meta.url))
const lectern = join(here, '../../../packages/cli/bin/lectern.js')
const INI = `
[Server]
Port = 0
JwtSecret = ${'x'.repeat(40)}
[Integration]
Enabled = 1
[Limits]
Enabled = 0
`

/** The service as an operator runs it, without rate limits: there is one client address here. */
export interface Service {
  url: string
  program: Program
  account: { serviceAccount: string; clientSecret: string }
  /** Starts it again on the same data and the same port. */
  again(): Promise<Program>
}

export async function startService(folder: string): Promise<Service> {
  const config = ['--config', join(folder, 'lectern.ini')]
  writeFileSync(join(folder, 'lectern.ini'), INI)
  await run([lectern, 'user', 'add', 'bench', ...config])
  const add = ['service-account', 'add', 'bench', '--user', 'bench', '--scope', 'integration:rooms', '--json']
  const { client_secret } = JSON.parse(await run([lectern, ...add, ...config])) as { client_secret: string }
  // Options of Node, e.g. --cpu-prof.
  const options = process.env.LECTERN_NODE_OPTIONS?.split(' ') ?? []
  const serve = (env = {}) => start([...options, lectern, 'serve', ...config], env)
  const program = await serve()
  const { url } = JSON.parse(program.line) as { url: string }
  return {
    url,
    program,
    account: { serviceAccount: 'bench', clientSecret: client_secret },
    again: () => serve({ SVC_SERVER_PORT: new URL(url).port }),
  }
}
