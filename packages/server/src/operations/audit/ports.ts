import type { AuditAction, AuditOutcome } from '@lectern/protocol'

/** A user of the administration API, or somebody with the command line on the server's machine. */
export type Actor =
  | { kind: 'user'; userId: number; name: string; address: string }
  | { kind: 'command_line'; name: string; address: string | null }

export interface AuditEntry {
  actor: Actor
  action: AuditAction
  /** Id, login or name of what is changed; may be empty while it does not exist yet. */
  target: string
  /** The requested change. It MUST NOT contain secrets. */
  details: Record<string, unknown>
}

export interface AuditResult {
  outcome: Exclude<AuditOutcome, 'started'>
  /** The error code of an action that was refused or failed. */
  code: string | null
  /** Replaces the target, where only the action has created it. */
  target?: string | undefined
}

export interface StoredAuditEntry extends AuditEntry {
  id: number
  atMs: number
  outcome: AuditOutcome
  code: string | null
}

export interface AuditFilter {
  search?: string | undefined
  /** A login: what this user did, and what was done to it. */
  user?: string | undefined
  action?: AuditAction | undefined
  outcome?: AuditOutcome | undefined
}
