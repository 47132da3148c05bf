import type { ErrorCode } from '@lectern/protocol'

/** Extended result codes begin with their primary one: SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html). */
const REJECTED = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|READONLY|IOERR|CANTOPEN|NOMEM)/
const DISK_UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/**
 * Classes and codes of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html): data and integrity are
 * values; connections, resources, operators' interventions, system errors, conflicts, locks, timeouts and read-only
 * transactions pass.
 */
const REJECTED_STATE = /^(22|23)/
const UNAVAILABLE_STATE = /^(08|53|57|58|40|55|25006|25P0[234])/

/**
 * Maps an error of a database or disk to a code: a rejected value is an error of the caller; a store that is full, locked
 * or not writable is temporarily unavailable. Null for any other error.
 */
export function storeFailure(error: unknown): ErrorCode | null {
  const { code: given, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  const code = String(given)
  if (severity !== undefined && REJECTED_STATE.test(code)) return 'invalid_argument'
  if (severity !== undefined && UNAVAILABLE_STATE.test(code)) return 'temporarily_unavailable'
  if (REJECTED.test(code)) return 'invalid_argument'
  if (code === 'DATABASE_UNAVAILABLE' || UNAVAILABLE.test(code) || DISK_UNAVAILABLE.has(code))
    return 'temporarily_unavailable'
  return null
}
