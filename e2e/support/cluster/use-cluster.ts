import { afterAll, afterEach, beforeAll } from 'vitest'
import { useFolders } from '../folders.ts'
import { ensureBuilt } from '../lectern.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'

/** The lines of each program's log that are printed when a test fails. */
const FAILURE_LOG_LINES = 25
const START_WITHIN_MS = 400_000

/** Runs a cluster for the tests of a file; `get` returns it once they run. */
export function useCluster(options: Omit<ClusterOptions, 'folder'>): () => Cluster {
  const makeFolder = useFolders()
  let cluster: Cluster | null = null
  beforeAll(async () => {
    ensureBuilt()
    cluster = await Cluster.start({ ...options, folder: makeFolder() })
  }, START_WITHIN_MS)
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail' || !cluster) return
    for (const { name, log } of cluster.nodes)
      console.log(`${name}:\n${log.split('\n').slice(-FAILURE_LOG_LINES).join('\n')}`)
  })
  afterAll(() => cluster?.stop())
  return () => {
    if (!cluster) throw new Error('The cluster is not started.')
    return cluster
  }
}
