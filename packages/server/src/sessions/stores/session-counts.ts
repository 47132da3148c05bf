import type { Kysely } from 'kysely'
import type { MainSchema } from '../../platform/db/schema.ts'

export interface ServerSessions {
  serverId: string
  sessions: number
}

/** How many open sessions each registered server runs, and how many nobody does. */
export async function sessionsByServer(
  db: Kysely<MainSchema>,
): Promise<{ servers: ServerSessions[]; unowned: number }> {
  const servers = await db
    .selectFrom('server_leases as lease')
    .leftJoin('conference_sessions as session', join =>
      join.onRef('session.owner', '=', 'lease.id').on('session.ended_at_ms', 'is', null),
    )
    .select(({ fn }) => ['lease.server_id as serverId', fn.count<number>('session.id').as('sessions')])
    .where('lease.is_dead', '=', 0)
    .groupBy('lease.server_id')
    .orderBy('lease.server_id')
    .execute()
  const { open } = await db
    .selectFrom('conference_sessions')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('ended_at_ms', 'is', null)
    .executeTakeFirstOrThrow()
  const owned = servers.reduce((sum, { sessions }) => sum + Number(sessions), 0)
  return {
    servers: servers.map(({ serverId, sessions }) => ({ serverId, sessions: Number(sessions) })),
    unowned: Number(open) - owned,
  }
}
