import { batched } from '@lectern/common'
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Holder, NewServerLease } from '../../cluster/ports.ts'
import { isPostgres } from '../../platform/db/dialect.ts'
import { prepared } from '../../platform/db/prepared.ts'
import type { MainSchema } from '../../platform/db/schema.ts'
import type { SessionLease, SessionOwner, StoredSession } from '../ports.ts'
import { areHeldBy, isOrdinary, LOCAL_OWNER, newRow, nextIncarnation, toSession } from './session-rows.ts'

/** Longer than any statement of its server can take: what it acquires late is found vacant by the dead lease. */
const DEAD_FOR_MS = 3_600_000

/** No lease lasts that long. One that seems to was renewed before the clock of the database was set back. */
const TOO_LONG_MS = 10_000

const RELEASED_AT_ONCE = 1_000

type Where = ExpressionBuilder<MainSchema, 'conference_sessions'>

/** The leases of servers, and which open session belongs to which. All times are of the database's clock. */
export type LeaseStore = ReturnType<typeof leaseStore>

/**
 * `nowMs`: the database's clock, the only one that decides about leases. `urgent`: for what keeps the lease of this server,
 * however many statements wait for connections.
 */
export function leaseStore(db: Kysely<MainSchema>, nowMs: RawBuilder<number>, urgent = db) {
  /**
   * Had expired at a time that was read from the database, and was not renewed since. Nothing is known when the clock of the
   * database was set back after that time.
   */
  const hadExpired = (atMs: number) =>
    sql<boolean>`is_dead = 0 AND ${nowMs} >= ${atMs}
      AND (lease_until_ms <= ${atMs} OR lease_until_ms > ${nowMs} + ${sql.lit(TOO_LONG_MS)})`
  const until = (leaseMs: number) => sql<number>`${nowMs} + CAST(${leaseMs} AS INTEGER)`
  const ownerOf = () =>
    db
      .selectFrom('conference_sessions as session')
      .leftJoin('server_leases as lease', 'lease.id', 'session.owner')
      .select(['lease.server_id', 'lease.address', 'lease.is_dead'])
      .where('session.ended_at_ms', 'is', null)
  const ownerByTag = prepared(db, (tag: string) => ownerOf().where('session.tag', '=', tag))
  const ownerById = prepared(db, (id: number) => ownerOf().where('session.id', '=', id))

  const listOthers = prepared(urgent, (leaseId: string) =>
    urgent
      .selectFrom('server_leases')
      .select('server_id')
      .where('is_dead', '=', 0)
      .where('id', '<>', leaseId),
  )
  const listDead = async () => {
    const rows = await db.selectFrom('server_leases').select('id').where('is_dead', '=', 1).execute()
    return rows.map(({ id }) => id)
  }
  /** The ids are listed first, so that the index of owners serves. A dead lease stays dead. */
  const isVacant =
    (dead: string[], own: string[] = []) =>
    (eb: Where) =>
      eb.or([
        eb('conference_sessions.owner', 'is', null),
        eb('conference_sessions.owner', 'in', [LOCAL_OWNER, ...dead, ...own]),
      ])

  return {
    register: async ({ id, serverId, address }: NewServerLease, leaseMs: number) => {
      await urgent
        .insertInto('server_leases')
        .values({ id, server_id: serverId, address, lease_until_ms: until(leaseMs), is_dead: 0 })
        .execute()
    },
    /**
     * The ids of the other servers that are registered, and the time; null when the lease is dead. Renews one that has run
     * out, as long as nobody has declared it dead.
     */
    renew: async (leaseId: string, leaseMs: number): Promise<{ others: string[]; atMs: number } | null> => {
      const renewed = await urgent
        .updateTable('server_leases')
        .set({ lease_until_ms: until(leaseMs) })
        .where('id', '=', leaseId)
        .where('is_dead', '=', 0)
        .returning('lease_until_ms')
        .executeTakeFirst()
      if (!renewed) return null
      const others = (await listOthers(leaseId)).map(({ server_id }) => server_id)
      return { others, atMs: renewed.lease_until_ms - leaseMs }
    },
    /** Declares the lease dead if it had run out at that time of the database. True when it is dead now. */
    expire: async (leaseId: string, atMs: number) => {
      await db
        .updateTable('server_leases')
        .set({ is_dead: 1 })
        .where('id', '=', leaseId)
        .where(hadExpired(atMs))
        .execute()
      return (await listDead()).includes(leaseId)
    },
    /** Declares all other leases dead that had run out at that time of the database: a server never ends its own. */
    expireOthers: async (leaseId: string, atMs: number) => {
      await db
        .updateTable('server_leases')
        .set({ is_dead: 1 })
        .where('id', '<>', leaseId)
        .where(hadExpired(atMs))
        .execute()
    },
    /**
     * The open session of the conference, created if there is none, for this lease: as another incarnation if nobody holds
     * it, or this lease does. Null and who holds it otherwise.
     */
    acquire: async (tag: string, atMs: number, leaseId: string): Promise<StoredSession | Holder> => {
      const dead = await listDead()
      const row = await db
        .insertInto('conference_sessions')
        .values(newRow(tag, atMs, leaseId))
        .onConflict(conflict =>
          conflict
            .column('tag')
            .where('ended_at_ms', 'is', null)
            .doUpdateSet({ incarnation: nextIncarnation, owner: leaseId })
            .where(isVacant(dead, [leaseId])),
        )
        .returningAll()
        .returning(isOrdinary)
        .executeTakeFirst()
      if (row) return toSession(row)
      const holder = await db
        .selectFrom('conference_sessions')
        .leftJoin('server_leases', 'server_leases.id', 'conference_sessions.owner')
        .select(['owner', 'server_id'])
        .where('tag', '=', tag)
        .where('ended_at_ms', 'is', null)
        .executeTakeFirst()
      return { leaseId: holder?.owner ?? '', serverId: holder?.server_id ?? '' }
    },
    /**
     * Acquires open sessions that nobody holds, `limit` at most, each as another incarnation. No two callers get the
     * same one.
     */
    acquireVacant: async (leaseId: string, limit: number): Promise<StoredSession[]> => {
      const vacant = isVacant(await listDead())
      const rows = await db
        .updateTable('conference_sessions')
        .set({ incarnation: nextIncarnation, owner: leaseId })
        .where('id', 'in', eb =>
          eb
            .selectFrom('conference_sessions')
            .select('id')
            .where('ended_at_ms', 'is', null)
            .where(vacant)
            .orderBy('id')
            .limit(limit)
            .$if(isPostgres(db), query => query.forUpdate().skipLocked()),
        )
        .where('ended_at_ms', 'is', null)
        .where(vacant)
        .returningAll()
        .returning(isOrdinary)
        .execute()
      return rows.map(toSession)
    },
    /** Gives sessions up; changes nothing of those that are not held. One statement for those that are given up together. */
    release: batched(
      async (leases: SessionLease[]) => {
        await db
          .updateTable('conference_sessions')
          .set({ owner: null })
          .where(areHeldBy(leases))
          .where('ended_at_ms', 'is', null)
          .execute()
        return leases.map(() => undefined)
      },
      { schedule: setImmediate, maxItems: RELEASED_AT_ONCE },
    ),
    /** Gives up all sessions of the lease except these. */
    releaseExcept: async (leaseId: string, sessionIds: readonly number[]) => {
      await db
        .updateTable('conference_sessions')
        .set({ owner: null })
        .where('owner', '=', leaseId)
        .where('ended_at_ms', 'is', null)
        .$if(sessionIds.length > 0, query => query.where('id', 'not in', sessionIds))
        .execute()
    },
    /** Declares the own lease dead, and so gives up all its sessions. */
    unregister: async (leaseId: string) => {
      await db.updateTable('server_leases').set({ is_dead: 1 }).where('id', '=', leaseId).execute()
    },
    /** Deletes leases that died long ago and to which no open session belongs. */
    sweep: async () => {
      await db
        .deleteFrom('server_leases')
        .where('is_dead', '=', 1)
        .where('lease_until_ms', '<', sql<number>`${nowMs} - ${sql.lit(DEAD_FOR_MS)}`)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('conference_sessions')
                .select('conference_sessions.id')
                .whereRef('conference_sessions.owner', '=', 'server_leases.id')
                .where('ended_at_ms', 'is', null),
            ),
          ),
        )
        .execute()
    },
    /** Null when there is no such open session. */
    findOwner: async (session: { tag: string } | { sessionId: number }): Promise<SessionOwner | null> => {
      const [row] = await ('tag' in session ? ownerByTag(session.tag) : ownerById(session.sessionId))
      if (!row) return null
      if (row.server_id === null || row.is_dead === 1) return { is: 'nobody' }
      return { is: 'server', id: row.server_id, address: row.address ?? '' }
    },
    /** Which of these conferences have an open session on any server. */
    listOpen: async (tags: readonly string[]): Promise<string[]> => {
      if (tags.length === 0) return []
      const rows = await db
        .selectFrom('conference_sessions')
        .select('tag')
        .where('ended_at_ms', 'is', null)
        .where('tag', 'in', tags)
        .execute()
      return rows.map(({ tag }) => tag)
    },
  }
}
