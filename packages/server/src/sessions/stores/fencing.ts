import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { SessionLease } from '../ports.ts'
import { isHeldBy, LOCAL_OWNER } from './session-rows.ts'

/** The only server of an installation has no rival, so that what it stores needs no fence. */
export const isFenced = ({ owner }: SessionLease): boolean => owner !== LOCAL_OWNER

/**
 * Whether the lease is held, inside of a transaction: no other server can acquire the session before it ends, for the row
 * is locked until then. A read would not lock it.
 */
export async function lockLease(db: Kysely<MainSchema>, lease: SessionLease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('conference_sessions')
    .set({ owner: lease.owner })
    .where(isHeldBy(lease))
    .where('ended_at_ms', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
