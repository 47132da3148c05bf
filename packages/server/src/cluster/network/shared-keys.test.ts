import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClusterServer, startTestCluster, type TestCluster } from '../../testing/cluster.ts'
import type { Member } from '../members/members.ts'
import { acceptEachOther, assertSharedSecret } from './shared-keys.ts'

it('ALIVE-5 servers accept each other while a secret is changed on one after the other', () => {
  const [before, prepared, changed, after] = [['old'], ['old', 'new'], ['new', 'old'], ['new']].map(
    keyIds => ({
      keyIds,
    }),
  ) as [{ keyIds: string[] }, { keyIds: string[] }, { keyIds: string[] }, { keyIds: string[] }]
  for (const [one, other] of [
    [before, prepared],
    [prepared, changed],
    [changed, after],
    [before, before],
  ] as const)
    expect([acceptEachOther(one, other), acceptEachOther(other, one)]).toEqual([true, true])
  for (const other of [changed, after])
    expect([acceptEachOther(before, other), acceptEachOther(other, before)]).toEqual([false, false])
  expect(acceptEachOther(before, { keyIds: [] })).toBe(true) // an earlier version
})

it('ALIVE-5 a server that starts waits until those that run can have reported themselves', async () => {
  const server = (name: string, key: string) => ({ name, keyIds: [key] }) as unknown as Member
  const running: Member[] = []
  const strangers: string[] = []
  const start = () =>
    assertSharedSecret(
      () => server('own', 'own'),
      () => running,
      () => strangers,
    )
  const started = start()
  running.push(server('other', 'another'))
  await expect(started).rejects.toThrow('servers that run: other.')
  running.pop()
  strangers.push('server-1-0a1b2c3d')
  await expect(start()).rejects.toThrow('servers that run: server-1.')
  running.push(server('third', 'own'))
  await start()
})

describe('ALIVE-5 a server with another JwtSecret', () => {
  let cluster: TestCluster
  let [one, other] = [] as unknown as [ClusterServer, ClusterServer]

  beforeAll(async () => {
    cluster = await startTestCluster(
      ['one', 'other'],
      {},
      { secrets: { other: 'another-secret-of-enough-characters' }, stopped: ['other'] },
    )
    ;[one, other] = cluster.servers as [ClusterServer, ClusterServer]
  })
  afterAll(() => cluster?.close())

  it('does not start while servers run, which report it', async () => {
    await expect(other.start()).rejects.toThrow('JwtSecret is not that of the servers that run: one.')
    expect(one.log()).toContain('a server has another JwtSecret')
    expect((await one.call('GET', '/readyz')).status).toBe(200)
    expect(one.log() + other.log()).not.toContain('another-secret')
  })

  it('starts when it is alone', async () => {
    await one.stop()
    await other.start()
    await expect(one.start()).rejects.toThrow('JwtSecret is not that of the servers that run: other.')
  })
})
