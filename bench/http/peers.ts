import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server under test, in a process of its own. */
export interface Peer {
  name: string
  url: string
  token: string
  /** Resident memory now, in MB (1,000,000 bytes). */
  memory(): number
  stop(): Promise<void>
}

const here = dirname(fileURLToPath(import.meta.url))
const lectern = join(here, '../../../packages/cli/bin/lectern.js')

/** The service as an operator runs it, without rate limits: there is one client address here. */
export async function startLectern(folder: string): Promise<Peer> {
  const config = join(folder, 'lectern.ini')
  writeFileSync(
    config,
    [
      '[Server]',
      'Port = 0',
      `JwtSecret = ${'x'.repeat(40)}`,
      '[Integration]',
      'Enabled = 1',
      '[Limits]',
      'Enabled = 0',
    ].join('\n'),
  )
  await run([lectern, 'user', 'add', 'bench', '--config', config])
  const account = [
    'service-account',
    'add',
    'bench',
    '--user',
    'bench',
    '--scope',
    'integration:rooms',
    '--json',
  ]
  const { client_secret } = JSON.parse(await run([lectern, ...account, '--config', config]))
  const { child, line } = await start([lectern, 'serve', '--config', config])
  const { url } = JSON.parse(line) as { url: string }
  const answer = await fetch(`${url}/api/v1/integration/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_account: 'bench', client_secret }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return peer('lectern', url, access_token, child)
}

export async function startBare(folder: string): Promise<Peer> {
  const { child, line } = await start([join(here, 'bare.js'), folder])
  return peer('bare', line, 'none', child)
}

const peer = (name: string, url: string, token: string, child: ChildProcess): Peer => ({
  name,
  url,
  token,
  memory: () => residentBytes(child.pid) / 1e6,
  stop: async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  },
})

function residentBytes(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

async function start(args: string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, line }
}

async function run(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.slice(1).join(' ')} failed`)
  return output
}
