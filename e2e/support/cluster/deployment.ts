import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment, JobRow, Victim } from '../chaos/deployment.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterNode } from './node.ts'

/** How long a killed program is stopped. */
const AWAY_MS = 2_000

/** Longer than PostgreSQL is stopped, also when it is killed twice. */
const AVAILABLE_WITHIN_MS = 150_000
const RETRY_MS = 200

/** Retries what needs PostgreSQL, which may be killed meanwhile. */
async function untilAvailable<T>(attempt: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + AVAILABLE_WITHIN_MS; ; await sleep(RETRY_MS))
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > until) throw error
    }
}

/** A cluster under random kills. Each killed program is started again after a while. */
export function clusterDeployment(cluster: Cluster): Deployment {
  const { postgres, nats } = cluster.engines
  const restart = (kind: string, node: ClusterNode): Victim => ({
    kind,
    kill: async () => {
      await node.kill()
      await sleep(AWAY_MS)
      await untilAvailable(() => node.start()) // as systemd starts it again
    },
  })
  return {
    victims: () => [
      ...cluster.servers.map(({ node }) => restart('server', node)),
      ...cluster.mediaNodes.map(node => restart('media node', node)),
      ...cluster.recorders.map(node => restart('recorder', node)),
      {
        kind: 'PostgreSQL',
        kill: async () => {
          await postgres.kill()
          await sleep(AWAY_MS)
          await untilAvailable(() => postgres.start())
        },
      },
      {
        kind: 'NATS',
        kill: async () => {
          await nats.kill()
          await sleep(AWAY_MS)
          await nats.restart()
        },
      },
    ],
    recorderFolders: cluster.recorders.map(({ name }) => join(cluster.folder, name)),
    sessions: () => cluster.query('SELECT id, tag, incarnation, owner FROM lectern.conference_sessions'),
    jobsOf: session =>
      untilAvailable(() =>
        cluster.query<JobRow>(
          'SELECT id, kind, state FROM lectern.jobs WHERE conference_session_id = $1',
          session,
        ),
      ),
  }
}
