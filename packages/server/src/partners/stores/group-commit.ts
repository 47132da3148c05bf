import { batched } from '@lectern/common'
import type { Kysely } from 'kysely'
import { inTransaction } from '../../platform/db/transaction.ts'

type Write<Schema, Result> = (db: Kysely<Schema>) => Promise<Result>

/**
 * Runs writes of the same turn of the event loop in one transaction, and so with one flush to the disk, which costs more
 * than all of them. Writes are durable when they resolve; if one of them fails, all of its group do.
 */
export function groupCommit<Schema>(db: Kysely<Schema>) {
  const commit = batched(
    (writes: Write<Schema, unknown>[]) =>
      inTransaction(db, async transaction => {
        const results: unknown[] = []
        for (const write of writes) results.push(await write(transaction))
        return results
      }),
    // While a flush holds up the loop, further requests gather; all of them join the next group.
    { schedule: setImmediate },
  )
  return <Result>(write: Write<Schema, Result>) => commit(write) as Promise<Result>
}
