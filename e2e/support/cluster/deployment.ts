import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deployment, JobRow, Victim } from '../chaos/deployment.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterNode } from './node.ts'

/** How long a killed program is away. */
const AWAY_MS = 2_000

/** A cluster under random kills. Each killed program is started again after a while. */
export function clusterDeployment(cluster: Cluster): Deployment {
  const { postgres, nats } = cluster.engines
  const restart = (kind: string, node: ClusterNode): Victim => ({
    kind,
    kill: async () => {
      await node.kill()
      await sleep(AWAY_MS)
      await node.start()
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
          await postgres.start()
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
    sessions: () =>
      cluster.query('SELECT id, tag, life AS incarnation, owner FROM lectern.conference_sessions'),
    jobsOf: session =>
      cluster.query<JobRow>(
        'SELECT id, kind, state FROM lectern.jobs WHERE conference_session_id = $1',
        session,
      ),
  }
}
