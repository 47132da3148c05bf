import { afterEach, describe, expect, it } from 'vitest'
import { ConnectionProbes, type ConnectionProbesParts } from './connection-probes.ts'
import type { MediaWorker } from './media-worker.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'
import { turnCredentials } from './turn.ts'

let harnesses: SfuTestHarness[] = []
afterEach(async () => {
  await Promise.all(harnesses.map(({ sfu }) => sfu.stop()))
  harnesses = []
})

const NOW = 1_900_000_000_000
const ANNA = '203.0.113.1'
const BEN = '2001:db8::1'

async function open(parts: Partial<ConnectionProbesParts> = {}, workers = 1) {
  const harness = await SfuTestHarness.open({ workers })
  harnesses.push(harness)
  const pool = harness.sfu.workers
  const turn = () => ({ urls: [], secret: '' })
  return {
    harness,
    pool,
    probes: new ConnectionProbes({ media: harness.sfu, turn, clock: () => NOW, ...parts }),
  }
}

const only = (workers: MediaWorker[]): MediaWorker => workers[0] as MediaWorker
const transportsOn = async ({ server }: MediaWorker) => (await server.dump()).webRtcTransportIds.length

describe('ConnectionProbes', () => {
  it('describes its UDP and TCP candidates and ICE credentials', async () => {
    const { probes, pool } = await open()
    const { udpSockets, tcpServers } = await only(pool.alive).server.dump()
    const at = (port?: number) => ({ address: '127.0.0.1', port, foundation: expect.any(String) })
    const probe = await probes.open(ANNA)
    expect(probe).toMatchObject({
      iceParameters: { usernameFragment: expect.any(String), password: expect.any(String) },
      iceCandidates: [
        { protocol: 'udp', priority: expect.any(Number), ...at(udpSockets[0]?.port) },
        { protocol: 'tcp', priority: expect.any(Number), ...at(tcpServers[0]?.port) },
      ],
      fingerprints: expect.arrayContaining([{ algorithm: 'sha-256', value: expect.any(String) }]),
      turnServers: [],
      expiresInMs: 10_000,
    })
    expect(probe.iceCandidates).toHaveLength(2)
    expect((await probes.open(ANNA)).iceParameters).not.toEqual(probe.iceParameters)
  })

  it('adds TURN credentials that belong to no account and expire soon', async () => {
    const turn = { urls: ['turn:turn.example.org'], secret: 'of coturn' }
    const { probes } = await open({ turn: () => turn })
    const [{ username, ...server } = { username: '' }] = (await probes.open(ANNA)).turnServers
    const [expiresAt, name = ''] = username.split(':')
    expect(Number(expiresAt)).toBe(NOW / 1000 + 300)
    expect(name).toMatch(/^probe-/)
    expect(name).not.toContain(ANNA)
    expect({ username, ...server }).toEqual({
      urls: turn.urls,
      ...turnCredentials(turn.secret, name, Number(expiresAt)),
    })
  })

  it('gives a class that tests at once names enough for the quota of a TURN server, which no other network uses', async () => {
    const { probes } = await open({ turn: () => ({ urls: ['turn:turn.example.org'], secret: 'of coturn' }) })
    const namesOf = async (addresses: string[]) =>
      (await Promise.all(addresses.map(address => probes.open(address)))).map(
        ({ turnServers }) => turnServers[0]?.username.split(':')[1],
      )
    const names = await namesOf(Array.from({ length: 40 }, () => ANNA))
    // coturn-config.ts permits 24 relays of a name; a browser needs three, on two networks.
    const uses = names.map(name => names.filter(each => each === name).length)
    expect(Math.max(...uses) * 6).toBeLessThanOrEqual(24)
    expect(names).not.toContain((await namesOf([BEN]))[0])
  })

  it('closes a probe after its lifetime', async () => {
    const { probes, pool } = await open({ lifetimeMs: 1_000 })
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    const node = only(pool.alive)
    expect(await transportsOn(node)).toBe(2)
    await expect.poll(() => transportsOn(node)).toBe(0)
    const { routerIds } = await node.worker.dump()
    expect(routerIds).toHaveLength(2) // and the worker's own
    await probes.open(ANNA)
    expect((await node.worker.dump()).routerIds).toEqual(routerIds)
  })

  it('makes requests wait while too many probes are open, per address or in total', async () => {
    const { probes, pool } = await open({ limits: { capacity: 3, capacityPerClient: 2 }, lifetimeMs: 1_000 })
    const opened: string[] = []
    const requests = [ANNA, ANNA, ANNA, BEN, '2001:db8::2'].map(async address => {
      const probe = await probes.open(address)
      opened.push(address)
      return probe
    })
    await eventually(() => expect(opened).toEqual([ANNA, ANNA, BEN]))
    expect(await transportsOn(only(pool.alive))).toBe(3)
    const all = await Promise.all(requests)
    expect(new Set(all.map(({ iceParameters }) => iceParameters.password)).size).toBe(5)
  })

  it('refuses a request when too many wait', async () => {
    const { probes } = await open({ limits: { capacity: 1, maxWaiting: 1 }, lifetimeMs: 500 })
    const opened = await Promise.allSettled([ANNA, BEN, BEN].map(address => probes.open(address)))
    expect(opened).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'temporarily_unavailable' } },
    ])
  })

  it('uses another worker when the first one dies', async () => {
    const { harness, probes, pool } = await open({ limits: { capacity: 2 } }, 2)
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    const before = pool.alive
    for (const { worker } of before) process.kill(worker.pid, 'SIGKILL')
    await eventually(() => expect(pool.alive.filter(node => !before.includes(node))).toHaveLength(2))
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    await harness.sfu.stop()
    await expect(probes.open(ANNA)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })
})
