import type { Generated } from 'kysely'

/** Tables of administration. */
export interface AdminTables {
  audit_log: AuditLogTable
}

/** Append only: a trigger admits the outcome of a row that has none yet, and nothing else (rule AUDIT-2). */
export interface AuditLogTable {
  id: Generated<number>
  at_ms: number
  /** user or command_line */
  actor_kind: string
  actor_user_id: number | null
  actor: string
  address: string | null
  action: string
  target: string
  /** JSON */
  details: string
  /** started, done, refused or failed */
  outcome: string
  code: string | null
}
