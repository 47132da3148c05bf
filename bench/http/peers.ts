import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signIn, startService } from '../support/lectern.ts'
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
  const service = await startService(folder)
  const { url, program } = service
  return { name: 'lectern', url, token: await signIn(service), program }
}

export async function startBare(folder: string): Promise<Peer> {
  const program = await start([join(here, 'bare.js'), folder])
  return { name: 'bare', url: program.line, token: 'none', program }
}
