import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { CallSupervision } from '../calls/ports.ts'
import { load } from './call-rows.ts'

/** A server that has not taken its calls for so long is dead, or cut off from the database. */
const SUPERVISED_MS = 5_000
/** Nobody has taken them since the clock of the database was set back. */
const TOO_LONG_MS = 2 * SUPERVISED_MS

/** `nowMs`: the database's clock, which all servers share. */
export function callSupervision(
  db: Kysely<MainSchema>,
  nowMs: RawBuilder<number>,
  serverId: string,
): CallSupervision {
  const until = sql<number>`${nowMs} + ${sql.lit(SUPERVISED_MS)}`
  const setSupervisor = async (callId: number, supervisor: string) => {
    await db
      .updateTable('calls')
      .set({ supervisor, supervised_until_ms: until })
      .where('id', '=', callId)
      .where('state', '<>', 'ended')
      .execute()
  }
  return {
    take: async () => {
      const rows = await db
        .updateTable('calls')
        .set({ supervisor: serverId, supervised_until_ms: until })
        .where('state', '<>', 'ended')
        .where(({ or, eb }) =>
          or([
            eb('supervisor', '=', serverId),
            eb('supervised_until_ms', '<', sql<number>`${nowMs}`),
            eb('supervised_until_ms', '>', sql<number>`${nowMs} + ${sql.lit(TOO_LONG_MS)}`),
          ]),
        )
        .returningAll()
        .execute()
      return load(
        db,
        rows.sort((a, b) => a.id - b.id),
      )
    },
    claim: callId => setSupervisor(callId, serverId),
    handOver: setSupervisor,
  }
}
