import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signIn, startService } from '../support/lectern.ts'
import { type Program, start } from '../support/program.ts'

/** A server process under test. */
export interface ServerUnderTest {
  name: string
  url: string
  token: string
  program: Program
}

const here = dirname(fileURLToPath(import.meta.url))

export async function startLectern(folder: string): Promise<ServerUnderTest> {
  const service = await startService(folder)
  const { url, program } = service
  return { name: 'lectern', url, token: await signIn(service), program }
}

/** `keepsContract`: it checks a token of the length of Lectern's, and answers as the contract says. */
export async function startBare(folder: string, keepsContract = false): Promise<ServerUnderTest> {
  const token = keepsContract ? 'x'.repeat(400) : ''
  const program = await start([join(here, 'bare.ts'), folder, token])
  return { name: 'bare', url: program.line, token: token || 'none', program }
}
