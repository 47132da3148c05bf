import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import type { Member } from './members.ts'
import { assertSharedDatabase, membersElsewhere } from './shared-database.ts'

const member = (id: string, about: Partial<Member> = {}) =>
  ({ id, name: id, role: 'server', isRegistered: true, ...about }) as Member

it('ALIVE-6 a member counts as one with another database only if it is registered there, and not here', () => {
  const members = [
    member('own'),
    member('known'),
    member('starting', { isRegistered: false }),
    member('node', { role: 'media-node' }),
    member('other'),
  ]
  const found = membersElsewhere(members, { id: 'own', knows: ['known'] })
  expect(found.map(({ id }) => id)).toEqual(['other'])
})

it('ALIVE-6 a server that has just registered again is waited for', async () => {
  let reads = 0
  await assertSharedDatabase(async () => (++reads < 3 ? [member('other')] : []))
  expect(reads).toBe(3)
})

describe('ALIVE-6 a server with another database', () => {
  let cluster: TestCluster
  let [one, other] = [] as unknown as [ClusterServer, ClusterServer]
  beforeAll(async () => {
    cluster = await startTestCluster(['one', 'other'], {}, { stopped: ['other'], elsewhere: ['other'] })
    ;[one, other] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterAll(() => cluster?.close())

  it('does not start while servers of the same NATS, namespace and secret run', async () => {
    await expect(other.start()).rejects.toThrow(
      '[Db] Url is not the database of the servers that run: one. The servers of a cluster share one',
    )
    expect((await one.call('GET', '/readyz')).status).toBe(200)
  })

  it('is reported by both when NATS connects them later', async () => {
    other.nats.cut()
    await other.start()
    other.nats.mend()
    const reported = () => [one, other].map(each => each.log().includes('a server has another database'))
    await expect.poll(reported, { timeout: 60_000 }).toEqual([true, true])
  })
})
