import type { Kysely } from 'kysely'
import { inTransaction } from '../transaction.ts'

type Write<Schema, Result> = (db: Kysely<Schema>) => Promise<Result>

interface Waiting<Schema> {
  write: Write<Schema, unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Writes that are asked for in the same turn of the event loop share a transaction, and so one flush to the disk,
 * which costs more than all of them. What resolves is on the disk; if one of them fails, all of its group do.
 */
export function groupCommit<Schema>(db: Kysely<Schema>) {
  let waiting: Waiting<Schema>[] = []

  async function commit() {
    const group = waiting
    waiting = []
    try {
      const results = await writeAll(
        db,
        group.map(({ write }) => write),
      )
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return <Result>(write: Write<Schema, Result>) =>
    new Promise<Result>((resolve, reject) => {
      // While a flush holds up the loop, further reasons to write gather; all of them are heard before the next one.
      if (waiting.length === 0) setImmediate(commit)
      waiting.push({ write, resolve: resolve as Waiting<Schema>['resolve'], reject })
    })
}

function writeAll<Schema>(db: Kysely<Schema>, writes: Write<Schema, unknown>[]): Promise<unknown[]> {
  return inTransaction(db, async transaction => {
    const results: unknown[] = []
    for (const write of writes) results.push(await write(transaction))
    return results
  })
}
