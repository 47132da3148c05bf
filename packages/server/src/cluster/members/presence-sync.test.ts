import { describe, expect, it, vi } from 'vitest'
import type { User } from '../../accounts/ports.ts'
import { PresenceRegistry } from '../../messaging/presence.ts'
import { createLog } from '../../platform/log.ts'
import { useNetworks } from '../testing/use-networks.ts'
import { waitFor } from '../testing.ts'
import { createIdentity } from './identity.ts'
import { ClusterMembers } from './members.ts'
import { PresenceSync } from './presence-sync.ts'

/** Makes changes whose messages are sent before it returns. Nothing else can start a timer meanwhile. */
function sendAtOnce(change: () => void): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    change()
    vi.runAllTimers()
  } finally {
    vi.useRealTimers()
  }
}

const user = (id: number) =>
  ({ id, login: `user-${id}`, kind: 'ordinary', displayName: `User ${id}` }) as User

describe('the presence of all servers', () => {
  const { closeAfterTest, networks, nats } = useNetworks()

  async function join(name: string) {
    const self = createIdentity({ name, advertise: 'http://x', region: '', version: '1' })
    const network = await networks.open(self.id)
    const status = () => ({ load: {}, draining: false, isStoreReachable: true })
    const members = new ClusterMembers({ network, self, role: 'server', status })
    let nowMs = 1_000_000
    const published: string[] = []
    const presence = new PresenceRegistry(
      () => nowMs,
      changes => {
        for (const [userId, now] of changes) published.push(`${userId} ${now}`)
      },
    )
    const sync = new PresenceSync({ network, members, self: self.id, presence, log: createLog('silent') })
    closeAfterTest(
      () => members.stop(),
      () => sync.stop(),
    )
    const wait = (ms: number) => {
      nowMs += ms
      presence.tick()
    }
    return { self, network, members, presence, sync, published, wait }
  }

  it('PRESENCE-1 an account is online until its last connection on any server is closed', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    b.presence.connected(user(7), 'c2')
    await waitFor(() => a.presence.hasConnection(7))
    a.presence.connected(user(7), 'c1')
    a.presence.ended(7, 'c1')
    a.wait(60_000)
    await waitFor(() => a.presence.of(7) === 'online' && a.presence.hasVisibleConnection(7))
    b.presence.ended(7, 'c2')
    await waitFor(() => !a.presence.hasConnection(7))
    expect([a.presence.of(7), b.presence.of(7)]).toEqual(['online', 'online']) // the time of a reload
    b.wait(60_000)
    await waitFor(() => a.presence.of(7) === 'offline' && b.presence.of(7) === 'offline')
    a.wait(1_000)
    expect(a.published).toEqual(['7 online', '7 offline'])
    expect(a.presence.size).toBe(0)
  })

  it('PRESENCE-2 hidden pages and calls count over all servers', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    a.presence.connected(user(7), 'c1')
    a.presence.setVisible(7, 'c1', false)
    await waitFor(() => b.presence.of(7) === 'away' && !b.presence.hasVisibleConnection(7))
    b.presence.connected(user(7), 'c2')
    await waitFor(() => a.presence.of(7) === 'online')
    b.presence.countParticipant(7, 1)
    await waitFor(() => a.presence.of(7) === 'in_call' && a.presence.isInCallElsewhere(7))
    expect(b.presence.isInCallElsewhere(7)).toBe(false)
    b.presence.countParticipant(7, -1)
    b.presence.setVisible(7, 'c2', false)
    await waitFor(() => a.presence.of(7) === 'away')
  })

  it('PRESENCE-3 a server that joins later receives everything, page by page', async () => {
    const a = await join('a')
    sendAtOnce(() => {
      for (let id = 1; id <= 25_000; id++) a.presence.connected(user(id), `c${id}`)
    })
    const b = await join('b')
    await waitFor(() => b.sync.isComplete && b.presence.of(25_000) === 'online')
    expect(b.presence.of(1)).toBe('online')
    expect(b.presence.size).toBe(25_000)
  })

  it('PRESENCE-4 people of a dead server remain for a grace time and are then removed', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    b.presence.connected(user(7), 'c1')
    await waitFor(() => a.presence.of(7) === 'online')
    await b.network.stop()
    await waitFor(() => a.members.list().length === 1)
    expect([a.presence.of(7), a.presence.hasConnection(7)]).toEqual(['online', false])
    a.wait(60_000)
    expect(a.presence.of(7)).toBe('offline')
    expect(a.presence.size).toBe(0)
  })

  it('PRESENCE-5 changes during an outage of NATS are known afterwards, and nothing is trusted meanwhile', async () => {
    const [a, b] = await Promise.all([join('a'), join('b')])
    b.presence.connected(user(1), 'c1')
    b.presence.connected(user(2), 'c2')
    await waitFor(() => a.presence.of(1) === 'online' && a.presence.of(2) === 'online' && a.sync.isComplete)
    await nats().kill()
    await waitFor(() => !a.network.isConnected && !b.network.isConnected)
    expect(a.sync.isComplete).toBe(false)
    sendAtOnce(() => {
      b.presence.connected(user(3), 'c3')
      b.presence.ended(2, 'c2')
      b.wait(60_000)
    })
    expect(a.presence.of(2)).toBe('online')
    await nats().restart()
    await waitFor(() => a.sync.isComplete && a.presence.of(3) === 'online')
    expect([a.presence.of(1), a.presence.of(2)]).toEqual(['online', 'offline'])
  })
})
