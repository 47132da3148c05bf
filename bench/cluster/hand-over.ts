/**
 * A server with many lessons is stopped: how long its sessions are without an owner, and when all people are back. One
 * participant per session, without media.
 *
 * SESSIONS (3000)
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Cluster, type ClusterServer } from '../../e2e/support/cluster/cluster.ts'
import type { Tasks } from '../control/clients.ts'
import { Guests } from '../support/guests.ts'
import { size } from '../support/size.ts'
import { TaskProcess } from '../support/tasks.ts'

const SESSIONS = size('SESSIONS', 3_000, 20)
const WITHIN_MS = 60_000

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const clients = new TaskProcess<Tasks>(fileURLToPath(new URL('../control/clients.ts', import.meta.url)))
const cluster = await Cluster.start({
  folder,
  servers: 2,
  mediaNodes: 1,
  recorders: 0,
  settings: { SVC_LIMITS_ENABLED: '0', SVC_INTEGRATION_PLAIN_LINK: 'open' },
})
try {
  const account = await cluster.addAccount('bench', ['integration:rooms'])
  const [leaving] = cluster.servers as [ClusterServer]
  const tickets = await new Guests({ url: leaving.url, account }).invite(SESSIONS, 1)
  await clients.run('join', await cluster.entryAt(0), tickets)
  const own = (await owners()).get(leaving.name)
  if (own !== SESSIONS) throw new Error(`${own} of ${SESSIONS} sessions are on the server that leaves`)

  const from = performance.now()
  const elapsed = () => Math.round(performance.now() - from)
  const isBack = clients.run('waitForDisconnect').then(() => clients.run('reconnect'))
  isBack.catch(() => {}) // or an error before it is awaited would not be shown
  const stopped = leaving.node.stop().then(elapsed)
  const releasedMs = await until(async () => !(await owners()).has(leaving.name), elapsed)
  const takenMs = await until(async () => (await owners()).get('server-2') === SESSIONS, elapsed)
  await isBack
  const backMs = elapsed()
  console.log(`${SESSIONS} sessions: released after ${releasedMs} ms, all run elsewhere after ${takenMs} ms`)
  console.log(`the server has stopped after ${await stopped} ms, all people are back after ${backMs} ms`)
} finally {
  clients.stop()
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** How many open sessions each server owns. */
async function owners(): Promise<Map<string, number>> {
  const rows = await cluster.query<{ id: string; count: number }>(
    `SELECT lease.server_id AS id, count(*)::int AS count FROM lectern.conference_sessions AS session
     JOIN lectern.server_leases AS lease ON lease.id = session.owner
     WHERE session.ended_at_ms IS NULL AND lease.is_dead = 0 GROUP BY lease.server_id`,
  )
  // An id is the name and what differs at each start.
  return new Map(rows.map(({ id, count }) => [id.replace(/-[^-]*$/, ''), count]))
}

/** Resolves with the time that has passed when it holds. */
async function until(holds: () => Promise<boolean>, elapsed: () => number): Promise<number> {
  while (!(await holds())) {
    if (elapsed() > WITHIN_MS) throw new Error(`not within ${WITHIN_MS / 1000} s`)
    await sleep(5)
  }
  return elapsed()
}
