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

export async function startBare(folder: string): Promise<ServerUnderTest> {
  const program = await start([join(here, 'bare.ts'), folder])
  return { name: 'bare', url: program.line, token: 'none', program }
}
