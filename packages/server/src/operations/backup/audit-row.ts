import type { MainSchema } from '../../platform/db/schema.ts'
import { openSqlite } from '../../platform/db/sqlite/open.ts'
import type { Store } from '../../platform/db/store.ts'
import { AuditLog, resultOf } from '../audit/audit-log.ts'
import type { AuditEntry, AuditResult } from '../audit/ports.ts'
import { commandLineActor } from '../operator/actor.ts'
import { auditStore } from '../stores/audit.ts'

type Entry = Omit<AuditEntry, 'actor'>

/**
 * Runs an action between the two writes of its audit row. The database is not migrated, and the action runs also if the row
 * cannot be stored, as on a full disk: then `isAudited` is false (decision 85). `outcomeOf`: what the row says about a result.
 */
export async function withAuditRow<T>(
  database: string,
  entry: Entry,
  action: () => Promise<T>,
  outcomeOf: (result: T) => AuditResult = () => ({ outcome: 'done', code: null }),
): Promise<T & { isAudited: boolean }> {
  const store = open(database)
  const log = store && new AuditLog(auditStore(store.db), Date.now)
  const id = await log?.begin({ ...entry, actor: commandLineActor() }).catch(() => undefined)
  const settle = async (result: AuditResult) => {
    if (id !== undefined) await log?.settle(id, result).catch(() => {}) // the row stays `started`
  }
  try {
    const result = await action()
    await settle(outcomeOf(result))
    return { ...result, isAudited: id !== undefined }
  } catch (error) {
    await settle(resultOf(error))
    throw error
  } finally {
    await store?.close()
  }
}

function open(database: string): Store<MainSchema> | null {
  try {
    return openSqlite<MainSchema>(database)
  } catch {
    return null
  }
}
