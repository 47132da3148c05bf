import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'

const STORE = fileURLToPath(new URL('.', import.meta.url))

/** The links, tokens and secrets that clients of that store had been given. */
export const facts = JSON.parse(readFileSync(join(STORE, 'facts.json'), 'utf8'))

/** Writes the files as 0.1.0 left them into a new folder. */
export function writeStore(folder: string): void {
  mkdirSync(join(folder, 'blobs'), { recursive: true })
  for (const name of ['lectern', 'integration']) {
    const database = new Database(join(folder, `${name}.db`))
    database.exec(readFileSync(join(STORE, `${name}.sql`), 'utf8'))
    database.close()
  }
  writeFileSync(join(folder, 'blobs/lectern-blobs'), '')
  for (const id of readdirSync(join(STORE, 'blobs'))) {
    mkdirSync(join(folder, 'blobs', id.slice(2, 4)), { recursive: true })
    copyFileSync(join(STORE, 'blobs', id), join(folder, 'blobs', id.slice(2, 4), id))
  }
}
