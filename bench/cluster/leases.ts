/**
 * Many servers with the leases of many sessions in one PostgreSQL: the built implementation of leases with the real database;
 * rooms have no participants and no media. Prints statements per second, CPU time of the database, and the time until all sessions
 * of lost servers run elsewhere.
 *
 * SERVERS (50), ROOMS (10000), LOST (5), SECONDS (10)
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryPostgres, startPostgres } from '@lectern/server/testing'
import { DatabaseLeases } from '../../packages/server/src/cluster/leases/database-leases.ts'
import { openMainStore } from '../../packages/server/src/platform/db/open.ts'
import { createLog } from '../../packages/server/src/platform/log.ts'
import { leaseStore } from '../../packages/server/src/sessions/stores/session-leases.ts'
import { busyBelow } from '../support/processes.ts'
import { size } from '../support/size.ts'
import { quantile } from '../support/statistics.ts'

const SERVERS = size('SERVERS', 50, 3)
const ROOMS = size('ROOMS', 10_000, 30)
const LOST = size('LOST', 5, 1)
const SECONDS = size('SECONDS', 10, 1)
const RENEW_MS = 1_000
const HEALED_WITHIN_MS = 120_000
const OPENED_AT_ONCE = 20

const log = createLog('error')
const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
chmodSync(folder, 0o711) // PostgreSQL runs as a user of its own

type MainStore = Awaited<ReturnType<typeof openMainStore>>
type Leased = Awaited<ReturnType<DatabaseLeases['acquireVacant']>>[number]
type Lease = Leased['lease']

interface Owner {
  server: SimulatedServer
  incarnation: number
  lease: Lease
  /** It was noticed that the session runs again after the loss of its server. */
  isHealed: boolean
}

/** Which server runs each session. */
const owners = new Map<number, Owner>()
const violations: string[] = []

class SimulatedServer {
  readonly store: MainStore
  readonly leases: DatabaseLeases
  readonly sessions = new Set<number>()
  isLost = false

  constructor(name: string, store: MainStore) {
    this.store = store
    this.leases = new DatabaseLeases({
      store: leaseStore(store.db, store.dialect.nowMs),
      server: { id: name, address: `http://${name}` },
      mayReachStore: () => true,
      monotonicMs: () => performance.now(),
      log,
    })
  }

  own({ lease }: { lease: Lease }): void {
    const { sessionId, incarnation } = lease
    const before = owners.get(sessionId)
    if (before && before.incarnation >= incarnation)
      violations.push(`incarnation ${incarnation} of ${sessionId}`)
    if (before && !before.server.isLost && before.server.leases.check(before.lease) === 'held')
      violations.push(`${sessionId} has two owners`)
    owners.set(sessionId, { server: this, incarnation, lease, isHealed: false })
    this.sessions.add(sessionId)
  }

  async run(): Promise<void> {
    await sleep(Math.random() * RENEW_MS)
    while (!this.isLost) {
      const from = performance.now()
      await this.leases.renew()
      for (const leased of await this.leases.acquireVacant().catch(() => [])) this.own(leased)
      await sleep(Math.max(0, RENEW_MS - (performance.now() - from)))
    }
  }
}

const postgres = await startPostgres(join(folder, 'postgres'), { fsync: 'on', synchronous_commit: 'on' })
try {
  const servers: SimulatedServer[] = []
  for (let i = 1; i <= SERVERS; i++)
    servers.push(new SimulatedServer(`server-${i}`, await openMainStore(postgres.url)))
  const running = servers.map(server => server.run())
  await sleep(2 * RENEW_MS)

  const opened = performance.now()
  await inBatches(ROOMS, async room => {
    const server = servers[room % SERVERS] as SimulatedServer
    const result = await server.leases.acquire(`room-${room}`, Date.now())
    if (result.is !== 'acquired') throw new Error(`room-${room} is held`)
    server.own(result)
  })
  console.log(`${ROOMS} sessions on ${SERVERS} servers, opened in ${seconds(performance.now() - opened)} s`)

  const pid = Number(postgres.pid)
  const [before, busyBefore] = [await commits(), busyBelow(pid)]
  await sleep(SECONDS * 1000)
  const statements = ((await commits()) - before) / SECONDS
  const busy = (busyBelow(pid) - busyBefore) / SECONDS
  console.log(
    `idle: ${statements.toFixed(0)} statements/s, PostgreSQL uses ${(busy * 100).toFixed(1)} % of a core`,
  )

  const lost = servers.slice(0, LOST)
  const orphans = lost.flatMap(({ sessions }) => [...sessions])
  for (const server of lost) server.isLost = true
  const lostAt = performance.now()
  const healed: number[] = []
  while (healed.length < orphans.length && performance.now() - lostAt < HEALED_WITHIN_MS) {
    for (const id of orphans) {
      const owner = owners.get(id)
      if (!owner || owner.server.isLost || owner.isHealed) continue
      owner.isHealed = true
      healed.push(performance.now() - lostAt)
    }
    await sleep(10)
  }
  const at = (part: number) => seconds(quantile(healed, part))
  console.log(
    `${LOST} servers with ${orphans.length} sessions lost: ${healed.length} run elsewhere, first after ${at(0)} s, half after ${at(0.5)} s, all after ${at(1)} s`,
  )
  console.log(violations.length === 0 ? 'no session had two owners' : violations.slice(0, 10).join('\n'))
  process.exitCode = violations.length > 0 || healed.length < orphans.length ? 1 : 0
  for (const server of servers) server.isLost = true
  await Promise.all(running)
  await Promise.all(servers.map(({ store }) => store.close()))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function commits(): Promise<number> {
  const [row] = await queryPostgres<{ commits: string }>(
    postgres.url,
    'SELECT pg_stat_force_next_flush(), sum(xact_commit) AS commits FROM pg_stat_database',
  )
  return Number(row?.commits)
}

async function inBatches(count: number, work: (index: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i += OPENED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(OPENED_AT_ONCE, count - i) }, (_, offset) => work(i + offset)),
    )
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}
