import { connect } from '@nats-io/transport-node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { useNetworks } from '../testing/use-networks.ts'
import { introduce, signed, waitFor } from '../testing.ts'
import { createIdentity, type ServerIdentity } from './identity.ts'
import { ALIVE, ALIVE_INTERVAL_MS, ClusterMembers, GONE_AFTER_MS, type Member } from './members.ts'

const identityOf = (name: string): ServerIdentity =>
  createIdentity({ name, advertise: `http://${name}:8080`, region: '', version: '1.2.3' })

describe('the members of a cluster', () => {
  const { closeAfterTest, networks, nats } = useNetworks()

  async function join(name: string, role: Member['role'] = 'server') {
    const self = identityOf(name)
    const network = await networks.open(self.id)
    const receivedFrom = new Set<string>()
    network.subscribe(`${ALIVE}.*`, (_, { from }) => receivedFrom.add(from))
    const status = { load: { cpu: 0.5 }, draining: false, isStoreReachable: true }
    const members = new ClusterMembers({ network, self, role, status: () => status })
    closeAfterTest(() => members.stop())
    const gone: string[] = []
    members.onGone(({ id }) => gone.push(id))
    return { self, network, members, status, gone, receivedFrom }
  }
  type Joined = Awaited<ReturnType<typeof join>>

  /** Time that only tests let pass. Real messages need no time in it. */
  function useFakeTime() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
  }

  /** Lets the time pass in which these report themselves once more, to each other. */
  async function passInterval(...all: Joined[]) {
    for (const { receivedFrom } of all) receivedFrom.clear()
    vi.advanceTimersByTime(ALIVE_INTERVAL_MS)
    await waitFor(
      () => all.every(({ receivedFrom }) => all.every(({ self }) => receivedFrom.has(self.id))),
      'the reports',
    )
  }

  it('ALIVE-1 finds all members by their reports, with role, load and draining', async () => {
    const [a, b, m] = await Promise.all([join('a'), join('b'), join('m', 'media-node')])
    await waitFor(() => [a, b, m].every(({ members }) => members.list().length === 3))
    expect(a.members.list('media-node')).toEqual([
      {
        ...m.self,
        role: 'media-node',
        load: { cpu: 0.5 },
        draining: false,
        isStoreReachable: true,
        isRegistered: false,
        receivesEventLists: true,
        keyIds: [],
      },
    ])
    b.status.draining = true
    await waitFor(() => a.members.get(b.self.id)?.draining)
    expect(a.self.id).toMatch(/^a-[0-9a-f]{8}$/)
  })

  it('ALIVE-2 removes a member at once when it stops, and after missing reports when it dies', async () => {
    useFakeTime()
    const [a, b, c] = await Promise.all([join('a'), join('b'), join('c')])
    await waitFor(() => a.members.list().length === 3)
    b.members.stop()
    await waitFor(() => a.gone.includes(b.self.id))
    expect(a.members.list().map(({ name }) => name)).toEqual(['a', 'c'])
    await c.network.stop()
    let silentMs = 0
    for (; !a.gone.includes(c.self.id); silentMs += ALIVE_INTERVAL_MS) await passInterval(a)
    expect(silentMs).toBeGreaterThan(GONE_AFTER_MS)
    expect(a.members.list().map(({ name }) => name)).toEqual(['a'])
  })

  it('ALIVE-3 removes no member while NATS is unavailable', async () => {
    useFakeTime()
    const [a, b] = await Promise.all([join('a'), join('b')])
    await waitFor(() => a.members.list().length === 2 && b.members.list().length === 2)
    await nats().kill()
    await waitFor(() => !a.network.isConnected && !b.network.isConnected)
    vi.advanceTimersByTime(GONE_AFTER_MS + 2 * ALIVE_INTERVAL_MS)
    await nats().restart()
    await waitFor(() => a.network.isConnected && b.network.isConnected)
    await networks.settle() // or a report could precede the subscription of the other
    for (let i = 0; i < 3; i++) await passInterval(a, b)
    expect([...a.gone, ...b.gone]).toEqual([])
    expect(a.members.list()).toHaveLength(2)
  })

  it('ALIVE-4 reads reports of newer members and ignores malformed ones', async () => {
    const a = await join('a')
    const raw = await connect({ servers: nats().url })
    for (const id of ['x', 'n-1', 'n-2']) await introduce(raw, id, a.self.id)
    const report = {
      ...identityOf('n'),
      id: 'n-1',
      role: 'server',
      load: { gpu: 1 },
      draining: false,
      isStoreReachable: true,
      wings: 2,
    }
    const send = (from: string, body: object) =>
      raw.publish(`test.alive.${from}`, signed(`alive.${from}`, JSON.stringify({ v: 1, from, seq: 2, body })))
    send('x', { ...report, id: 'other' })
    send('n-2', { ...report, id: 'n-2', role: 'kitchen' })
    send('n-1', report)
    await waitFor(() => a.members.get('n-1'))
    expect(a.members.list().map(({ id }) => id)).toEqual([a.self.id, 'n-1'].sort())
    expect(a.members.get('n-1')).not.toHaveProperty('wings')
    // This member's version did not know the fields.
    expect(a.members.get('n-1')).toMatchObject({ receivesEventLists: false, isRegistered: false })
    await raw.close()
  })
})
