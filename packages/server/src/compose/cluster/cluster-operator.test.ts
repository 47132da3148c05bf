import { connect } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { serveDrain } from '../../cluster/members/drain.ts'
import { createIdentity } from '../../cluster/members/identity.ts'
import { ClusterMembers, type MemberRole } from '../../cluster/members/members.ts'
import { openNetworks, SECRET, signed, waitFor } from '../../cluster/testing.ts'
import { loadConfig } from '../../platform/config/index.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { leaseStore } from '../../sessions/stores/session-leases.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { type ClusterOperator, openClusterOperator } from './cluster-operator.ts'

let nats: NatsServer
let database: TestDatabase
const networks = openNetworks(() => nats.url)
const operators: ClusterOperator[] = []
beforeAll(async () => {
  nats = await startNats()
  database = await createTestDatabase()
})
afterAll(async () => {
  await nats.stop()
  await database.drop()
})
afterEach(async () => {
  await Promise.all(operators.splice(0).map(operator => operator.close()))
  await networks.closeAll()
})

/** `dbUrl`: another database than the test's. */
async function open(dbUrl = database.url): Promise<ClusterOperator> {
  const config = loadConfig(undefined, {
    SVC_DB_URL: dbUrl,
    SVC_SERVER_JWT_SECRET: SECRET,
    SVC_CLUSTER_NATS: nats.url,
    SVC_CLUSTER_NAMESPACE: 'test',
    SVC_CLUSTER_ADVERTISE: 'http://127.0.0.1:9',
    SVC_STORAGE_URL: 's3://bucket',
    SVC_STORAGE_S3_ENDPOINT: 'http://127.0.0.1:9',
    SVC_STORAGE_S3_ACCESS_KEY_ID: 'id',
    SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'secret',
  })
  const operator = await openClusterOperator(config)
  operators.push(operator)
  return operator
}

/** A member; `drained` counts the requests to drain it. */
async function join(name: string, role: MemberRole) {
  const self = createIdentity({ name, advertise: 'http://127.0.0.1:9', region: 'here', version: '1.2.3' })
  const network = await networks.open(self.id)
  const member = { id: self.id, drained: 0 }
  const status = () => ({ load: { sessions: 2 }, draining: member.drained > 0, isStoreReachable: true })
  const members = new ClusterMembers({ network, self, role, status })
  const stopServing = serveDrain(network, self.id, {
    drain: () => {
      member.drained += 1
    },
    undrain: () => {
      member.drained = 0
    },
  })
  await networks.settle()
  return { ...member, members, state: member, stopServing }
}

describe('the status of a cluster', () => {
  it('lists all members with the sessions of servers, and servers that do not respond', async () => {
    const server = await join('server-1', 'server')
    const node = await join('media-1', 'media-node')
    const store = await openMainStore(database.url)
    const leases = leaseStore(store.db, store.dialect.nowMs)
    for (const [id, serverId] of [
      ['a.1', server.id],
      ['b.1', 'server-2-00000000'],
    ] as const)
      await leases.register({ id, serverId, address: 'http://127.0.0.1:9' }, 60_000)
    for (const tag of ['one', 'two']) await leases.acquire(tag, 1, 'a.1')
    await leases.acquire('three', 1, 'b.1')
    const vacant = await leases.acquire('four', 1, 'b.1')
    if ('leaseId' in vacant) throw new Error('it is held')
    await leases.release({ sessionId: vacant.sessionId, incarnation: vacant.incarnation, owner: 'b.1' })
    await store.close()

    const status = await (await open()).status()
    expect(status).toMatchObject({
      nats: { reachable: true, servers: [nats.url] },
      database: { reachable: true },
      silent: [{ serverId: 'server-2-00000000', sessions: 1 }],
      unowned: 1,
    })
    expect(
      status.nodes.map(({ id, role, leases, version, region }) => [id, role, leases, version, region]),
    ).toEqual([
      [node.id, 'media-node', null, '1.2.3', 'here'],
      [server.id, 'server', 2, '1.2.3', 'here'],
    ])
  })

  it('names members that speak a newer protocol between servers', async () => {
    const operator = await open()
    const raw = await connect({ servers: nats.url })
    const reporting = setInterval(
      () => raw.publish('test.alive.x', signed('alive.x', '{"v":2,"from":"server-9-00000000"}')),
      200,
    )
    try {
      expect((await operator.status()).incompatible).toEqual([{ id: 'server-9-00000000', version: 2 }])
    } finally {
      clearInterval(reporting)
      await raw.close()
    }
  })

  it('reports an unavailable database or NATS', async () => {
    await join('server-1', 'server')
    const operator = await open('postgres://postgres@127.0.0.1:9/none')
    expect(await operator.status()).toMatchObject({
      database: { reachable: false },
      nodes: [{ name: 'server-1', leases: null }],
      unowned: null,
    })
    await nats.kill()
    try {
      await waitFor(async () => !(await operator.status()).nats.reachable)
      await expect(operator.drain('server-1')).rejects.toThrow('NATS cannot be reached.')
    } finally {
      await nats.restart()
    }
  })
})

describe('draining', () => {
  it('sends the request to the member with that name or id', async () => {
    const server = await join('server-1', 'server')
    const other = await join('server-2', 'server')
    const operator = await open()
    expect(await operator.drain('server-1')).toMatchObject({ id: server.id })
    expect(await operator.drain(other.id)).toMatchObject({ id: other.id })
    expect([server.state.drained, other.state.drained]).toEqual([1, 1])
    await waitFor(async () => (await operator.status()).nodes.every(({ draining }) => draining))
    await operator.undrain('server-1')
    await waitFor(async () => (await operator.status()).nodes.filter(({ draining }) => draining).length === 1)
    expect([server.state.drained, other.state.drained]).toEqual([0, 1])
  })

  it('reports a member that does not support its end', async () => {
    const server = await join('server-1', 'server')
    server.stopServing()
    const operator = await open()
    await expect(operator.undrain('server-1')).rejects.toThrow(
      `${server.id} cannot undrain: it is gone, or of an older version.`,
    )
  })

  it('refuses names that are unknown or not unique, and lists the ids', async () => {
    const ids = [(await join('twin', 'server')).id, (await join('twin', 'server')).id].sort()
    const operator = await open()
    await expect(operator.drain('nobody')).rejects.toThrow(`There is no node nobody: `)
    await expect(operator.drain('twin')).rejects.toThrow('Several nodes are named twin; use an id: ')
    await expect(operator.drain('twin')).rejects.toThrow(ids[0])
  })
})
