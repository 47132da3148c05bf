import { AUDIT_ACTIONS, type AuditAction, type AuditOutcome } from '@lectern/protocol'
import type { Kysely, Selectable } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import { contains } from '../../platform/db/search.ts'
import type { AuditLogTable } from '../../platform/db/tables/admin.ts'
import type { Actor, AuditEntry, AuditFilter, AuditResult, StoredAuditEntry } from '../audit/ports.ts'

const toEntry = (row: Selectable<AuditLogTable>): StoredAuditEntry => ({
  id: row.id,
  atMs: row.at_ms,
  actor: {
    kind: row.actor_kind,
    userId: row.actor_user_id,
    name: row.actor,
    address: row.address,
  } as Actor,
  action: row.action as AuditAction,
  target: row.target,
  details: JSON.parse(row.details) as Record<string, unknown>,
  outcome: row.outcome as AuditOutcome,
  code: row.code,
})

const ABOUT_USERS = Object.entries(AUDIT_ACTIONS).flatMap(([action, kind]) => (kind === 'user' ? action : []))

export type AuditStore = ReturnType<typeof auditStore>

export function auditStore(db: Kysely<MainSchema>) {
  return {
    /** Adds a row with the outcome `started` and returns its id. It is durable before the action starts. */
    begin: async ({ actor, action, target, details }: AuditEntry, atMs: number): Promise<number> => {
      const { id } = await db
        .insertInto('audit_log')
        .values({
          at_ms: atMs,
          actor_kind: actor.kind,
          actor_user_id: actor.kind === 'user' ? actor.userId : null,
          actor: actor.name,
          address: actor.address,
          action,
          target,
          details: JSON.stringify(details),
          outcome: 'started',
          code: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    /** Records the outcome, once: later calls change nothing. */
    settle: async (id: number, { outcome, code, target }: AuditResult) => {
      await db
        .updateTable('audit_log')
        .set({ outcome, code, target }) // undefined leaves the target unchanged
        .where('id', '=', id)
        .where('outcome', '=', 'started')
        .execute()
    },
    /** The newest first, older than the row `before`. */
    list: async (
      { search, user, action, outcome }: AuditFilter,
      { before, limit }: { before?: number | undefined; limit: number },
    ): Promise<StoredAuditEntry[]> => {
      const rows = await db
        .selectFrom('audit_log')
        .selectAll()
        .$if(before !== undefined, query => query.where('id', '<', before as number))
        .$if(action !== undefined, query => query.where('action', '=', action as string))
        .$if(outcome !== undefined, query => query.where('outcome', '=', outcome as string))
        .$if(user !== undefined, query =>
          query.where(({ eb, or, and }) =>
            or([
              and([eb('actor_kind', '=', 'user'), eb('actor', '=', user as string)]),
              and([eb('action', 'in', ABOUT_USERS), eb('target', '=', user as string)]),
            ]),
          ),
        )
        .$if(search !== undefined, query =>
          query.where(contains(db, ['actor', 'target', 'address'], search ?? '')),
        )
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toEntry)
    },
    /** When the newest backup was begun that is complete; null if there is none. */
    newestBackupMs: async (): Promise<number | null> => {
      const row = await db
        .selectFrom('audit_log')
        .select('at_ms')
        .where('action', '=', 'backup.create' satisfies AuditAction)
        .where('outcome', '=', 'done' satisfies AuditOutcome)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row === undefined ? null : Number(row.at_ms)
    },
    /** Removes rows from before that time, and no others. Returns their number. */
    sweep: async (beforeMs: number): Promise<number> => {
      const { numDeletedRows } = await db
        .deleteFrom('audit_log')
        .where('at_ms', '<', beforeMs)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
