import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startService } from '../support/lectern.ts'
import { type Program, start } from '../support/program.ts'

/** A server under test, in a process of its own. */
export interface Peer {
  name: string
  url: string
  token: string
  program: Program
}

const here = dirname(fileURLToPath(import.meta.url))

export async function startLectern(folder: string): Promise<Peer> {
  const { url, program, account } = await startService(folder)
  const answer = await fetch(`${url}/api/v1/integration/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_account: account.serviceAccount, client_secret: account.clientSecret }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return { name: 'lectern', url, token: access_token, program }
}

export async function startBare(folder: string): Promise<Peer> {
  const program = await start([join(here, 'bare.js'), folder])
  return { name: 'bare', url: program.line, token: 'none', program }
}
