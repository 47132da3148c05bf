import type { ErrorCode } from '@lectern/protocol'

/** Extended result codes begin with their primary one: SQLITE_CONSTRAINT_UNIQUE (https://sqlite.org/rescode.html). */
const REJECTED = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|PROTOCOL|FULL|READONLY|IOERR|CANTOPEN|NOMEM)/
const DISK_UNAVAILABLE = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/**
 * Maps an error of a database or disk to a code: a rejected value is an error of the caller; a store that is full, locked
 * or not writable is temporarily unavailable. Null for any other error.
 */
export function storeFailure(error: unknown): ErrorCode | null {
  const code = String((error as { code?: unknown } | null)?.code)
  if (REJECTED.test(code)) return 'invalid_argument'
  if (UNAVAILABLE.test(code) || DISK_UNAVAILABLE.has(code)) return 'temporarily_unavailable'
  return null
}
