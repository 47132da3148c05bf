import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openIntegrationStore, openMainStore } from '../platform/db/open.ts'

const OPEN = { main: openMainStore, integration: openIntegrationStore }
type Kind = keyof typeof OPEN

/** The content of an empty store of each kind, made once by each thread. */
const templates = new Map<Kind, Promise<Buffer>>()

/** Creates the file of an empty store unless it exists. Migrations, which it needs no more, take ten times as long. */
export async function createSqliteStore(kind: Kind, file: string): Promise<string> {
  if (existsSync(file)) return file
  const template = templates.get(kind) ?? makeTemplate(kind)
  templates.set(kind, template)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, await template)
  return file
}

async function makeTemplate(kind: Kind): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-template-'))
  try {
    const file = join(folder, 'store.db')
    const store = await OPEN[kind](file)
    await store.close()
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
