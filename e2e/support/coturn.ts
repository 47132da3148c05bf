import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@lectern/server/testing'
import { beforeAll } from 'vitest'
import { useFolders } from './folders.ts'
import { usePrograms } from './program.ts'
import { waitFor } from './wait.ts'

export interface Coturn {
  port: number
  /** The shared secret for credentials. */
  secret: string
  /** Its output. */
  log(): string
}

/** Runs a real TURN server on the loopback address, for UDP and TCP, configured as in docs/install.md. */
export async function useCoturn(): Promise<Coturn> {
  const makeFolder = useFolders()
  const run = usePrograms()
  const port = await freePort()
  const secret = randomBytes(16).toString('hex')
  let log = () => ''
  beforeAll(async () => {
    const folder = makeFolder()
    const file = join(folder, 'turnserver.conf')
    writeFileSync(file, configOf(port, secret, folder), { mode: 0o600 })
    const program = run('turnserver', ['-c', file])
    log = () => program.stdout
    await waitFor(() => listens(port), 'coturn listens')
  })
  return { port, secret, log: () => log() }
}

const configOf = (port: number, secret: string, folder: string) => `
listening-ip=127.0.0.1
relay-ip=127.0.0.1
listening-port=${port}
realm=lectern.test
use-auth-secret
static-auth-secret=${secret}
allow-loopback-peers
no-cli
no-tls
no-dtls
simple-log
log-file=stdout
verbose
userdb=${join(folder, 'turndb')}
pidfile=${join(folder, 'turnserver.pid')}
`

const listens = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
