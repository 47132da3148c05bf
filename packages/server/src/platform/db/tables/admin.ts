import type { Generated } from 'kysely'

/** Tables of administration. */
export interface AdminTables {
  audit_log: AuditLogTable
  server_samples: SamplesTable
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

/** The state of each server by minute, for charts. Null: unknown. */
export interface SamplesTable {
  /** The name of the server; empty with one server. */
  server: string
  at_ms: number
  sessions: number
  participants: number
  connections: number
  cpu_percent: number
  media_cpu_percent: number
  memory_bytes: number
  event_loop_delay_ms: number
  requests: number
  request_failures: number
  jobs: number
  incoming_bps: number | null
  outgoing_bps: number | null
  packet_loss_percent: number | null
}
