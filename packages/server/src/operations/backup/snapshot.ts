import { rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { OperatorError } from '../operator/checks.ts'
import { publish } from './durable-files.ts'

export interface Copy {
  from: string
  to: string
}

/** Pages of a step. Between steps the process does other work; the service never waits for a step. */
const PAGES_PER_STEP = 500
const LOCK_TIMEOUT_MS = 10_000
const RETRY_MS = 10
const ATTEMPTS = 1_000

/**
 * Copies SQLite databases as they are at one moment, while other processes write. Each copy is one file, checked by SQLite.
 * `onPages` gets the share that is done.
 */
export async function snapshotTogether(copies: Copy[], onPages: (share: number) => void): Promise<void> {
  const readers = await readAtOneMoment(copies.map(({ from }) => from))
  try {
    for (const [index, { to }] of copies.entries()) {
      const part = `${to}.part`
      for (const rest of [part, `${part}-journal`]) await rm(rest, { force: true })
      await writeFile(part, '', { mode: 0o600 }) // it will contain secrets
      await readers[index]?.backup(part, {
        progress: ({ totalPages, remainingPages }) => {
          onPages((index + 1 - remainingPages / totalPages) / copies.length)
          return PAGES_PER_STEP
        },
      })
      finishCopy(part)
      await publish(part, to)
    }
  } finally {
    for (const reader of readers) reader.close()
  }
}

/**
 * Begins to read all databases at a moment at which nobody writes: the write locks of all are held for that moment. It waits
 * for the first lock only, because meanwhile the service waits synchronously for those that are held.
 */
async function readAtOneMoment(files: string[]): Promise<Database.Database[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const locks: Database.Database[] = []
    try {
      for (const file of files) {
        locks.push(
          new Database(file, { fileMustExist: true, timeout: locks.length === 0 ? LOCK_TIMEOUT_MS : 0 }),
        )
        locks.at(-1)?.exec('BEGIN IMMEDIATE')
      }
      return files.map(beginToRead)
    } catch (error) {
      if (!(error as { code?: string }).code?.startsWith('SQLITE_BUSY')) throw error
    } finally {
      for (const lock of locks) lock.close()
    }
    await sleep(RETRY_MS)
  }
  throw new OperatorError('The databases are too busy to be copied: try again later.')
}

/** A transaction that sees the database as it is now; the backup of its connection reads in it. */
function beginToRead(file: string): Database.Database {
  const reader = new Database(file, { fileMustExist: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM sqlite_master').get()
  return reader
}

/** Makes one file of a copy, without a write-ahead log beside it, and checks it. */
function finishCopy(file: string): void {
  const database = new Database(file, { fileMustExist: true })
  try {
    database.pragma('journal_mode = DELETE')
    const found = database.pragma('quick_check', { simple: true })
    if (found !== 'ok') throw new OperatorError(`A database is damaged: ${found}`)
  } finally {
    database.close()
  }
}
