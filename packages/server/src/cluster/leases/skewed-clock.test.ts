import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  type ClusterServer,
  startTestCluster,
  type TestAccount,
  type TestCluster,
} from '../../testing/cluster.ts'
import { queryPostgres } from '../../testing/query.ts'
import { waitFor } from '../testing.ts'

const SKEW_MS = 7_200_000
const LEASE_MS = 30_000

describe('LEASE-10 a server whose clock is two hours ahead', () => {
  let cluster: TestCluster
  let [right, wrong] = [] as unknown as [ClusterServer, ClusterServer]
  const clients: ControlClient[] = []

  beforeAll(async () => {
    cluster = await startTestCluster(['right', 'wrong'], {}, { skewMs: { wrong: SKEW_MS } })
    ;[right, wrong] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterAll(async () => {
    for (const client of clients) client.close()
    await cluster?.close()
  })

  const signIn = async (
    server: ClusterServer,
    { login, password }: Pick<TestAccount, 'login' | 'password'>,
  ) =>
    String(
      (await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })).body.access_token,
    )

  function connect(server: ClusterServer, token: string, conference?: string): ControlClient {
    const client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
      ...(conference !== undefined && { conference }),
    })
    clients.push(client)
    client.open()
    return client
  }

  it('reports its clock, and accepts the tokens of others as they accept its own', async () => {
    expect(wrong.log()).toContain('the clock of this machine differs from that of the database')
    expect(right.log()).not.toContain('the clock of this machine differs')
    const anna = await cluster.addUser('anna')
    for (const [server, other] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      const token = await signIn(server, anna)
      expect((await other.call('GET', '/api/v1.0/me', { token })).status).toBe(200)
    }
  })

  it('passes connections on, and leases jobs for as long as others do', async () => {
    const token = await signIn(right, await cluster.addUser('ben'))
    const { body } = await right.call('POST', '/api/v1.0/conferences', { token, body: { title: 'Round' } })
    const conference = { kind: 'conference', id: String(body.tag) } as const
    const here = connect(right, token, conference.id) // the owner
    const { conference_session_id: id } = await here.command('conference.join', conference, {})
    const there = connect(wrong, token, conference.id)
    expect(await there.command('conference.join', conference, {})).toMatchObject({
      conference_session_id: id,
    })

    const user = { kind: 'worker', capabilities: ['jobs.recorder'] } as const
    const { password = '' } = await cluster.operator.users.add('recorder', {
      ...user,
      capabilities: [...user.capabilities],
    })
    const recorder = connect(wrong, await signIn(wrong, { login: 'recorder', password }))
    await here.command('recording.start', { kind: 'conference_session', id }, {})
    const kind = { kind: 'operation', id: 'recording' } as const
    await waitFor(async () => {
      const { job } = await recorder.command('job.lease', kind, { worker_id: 'w', holding: [] })
      return job !== null
    }, 'the job')
    const [job] = await queryPostgres<{ until: string }>(
      cluster.dbUrl,
      'SELECT lease_until_ms AS until FROM lectern.jobs',
    )
    expect(Number(job?.until) - Date.now()).toBeLessThan(LEASE_MS + 5_000)
  })
})
