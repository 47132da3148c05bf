import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressOf } from '../../cluster/testing.ts'
import { startMediaNode } from '../../media-node.ts'
import { loadConfig } from '../../platform/config/index.ts'
import { createLog } from '../../platform/log.ts'
import { startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import { documentedMetrics, exportedMetrics } from '../../testing/documented-metrics.ts'
import { call } from '../../testing/http.ts'
import { JWT_SECRET, startTestServer } from '../../testing/server.ts'

const inCluster = (row: string) => row.includes('in a cluster')
const withBucket = (row: string) => row.includes('s3://')
const withTls = (row: string) => row.includes('TlsCert') || row.includes('[Turn]')
const withSqlite = (row: string) => row.includes('with SQLite')
const optional = (row: string) => row.includes('with `[')

describe('docs/metrics.md', () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startTestCluster(['a'], {
      Integration: { Enabled: '1' },
      Tracing: { Endpoint: 'http://127.0.0.1:9/v1/traces' },
      Push: {
        Enabled: '1',
        NativeSenderUrl: 'http://127.0.0.1:9/',
        NativeSenderSecret: 'a secret of the native sender, long enough',
      },
    })
  })
  afterAll(() => cluster?.close())

  it('lists what a server of a cluster exports, and nothing else', async () => {
    const [server] = cluster.servers
    const { body } = (await server?.call('GET', '/metrics')) ?? {}
    const documented = documentedMetrics(
      'Servers',
      row => !withBucket(row) && !withTls(row) && !withSqlite(row),
    )
    expect(exportedMetrics(body).sort()).toEqual(documented.sort())
    expect(body).toMatch(
      /^# HELP uploads_received_bytes Former name of lectern_uploads_received_bytes_total,/m,
    )
    expect(body).toMatch(/^uploads_received_bytes 0$/m)
    const counters = documentedMetrics(
      'Servers',
      row => /counters?\b/.test(row) && !withBucket(row) && !withTls(row),
    )
    expect(counters.length).toBeGreaterThan(8)
    expect(exportedMetrics(body, 'counter').sort()).toEqual(counters.sort())
    for (const name of [
      'cluster_nats_connected',
      'cluster_lease_renewed',
      'cluster_servers',
      'cluster_versions',
    ])
      expect(body, name).toMatch(new RegExp(`^${name} 1$`, 'm'))
    expect(body).toMatch(/^cluster_draining 0$/m)
  })

  it('names what a single server without options does not export', async () => {
    const server = await startTestServer({ Integration: { Enabled: '0' } })
    await server.query(
      'main',
      sql`INSERT INTO audit_log (at_ms, actor_kind, actor, action, target, details, outcome)
        VALUES (7000, 'operator', 'root', 'backup.create', '/backup', '{}', 'done')`,
    )
    const { body } = await server.call('GET', '/metrics')
    await server.close()
    const documented = documentedMetrics('Servers', row => !inCluster(row) && !optional(row))
    expect(exportedMetrics(body).sort()).toEqual(documented.sort())
    expect(body).toMatch(/^lectern_backup_newest_timestamp_seconds 7$/m)
  })

  it('lists what a media node exports, and nothing else', async () => {
    const config = loadConfig(
      undefined,
      {
        SVC_SERVER_JWT_SECRET: JWT_SECRET,
        SVC_CLUSTER_NATS: cluster.nats.url,
        SVC_MEDIA_NODE_PORT: '0',
        SVC_MEDIA_WORKERS: '1',
      },
      'media-node',
    )
    const node = await startMediaNode(
      { ...config, Cluster: { ...config.Cluster, Nats: [addressOf(cluster.nats.url)] } },
      createLog('silent'),
    )
    const { body } = await call(node.url, 'GET', '/metrics')
    await node.close()
    expect(exportedMetrics(body).sort()).toEqual(documentedMetrics('Media nodes').sort())
  })
})
