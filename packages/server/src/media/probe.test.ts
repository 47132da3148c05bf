import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { Probes, type ProbesParts } from './probe.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'
import { turnCredentials } from './turn.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let harnesses: SfuTestHarness[] = []
afterEach(async () => {
  await Promise.all(harnesses.map(({ sfu }) => sfu.stop()))
  harnesses = []
})

const NOW = 1_900_000_000_000
const ANNA = '203.0.113.1'
const BEN = '2001:db8::1'

async function open(parts: Partial<ProbesParts> = {}, workers = 1) {
  const harness = await SfuTestHarness.open({ workers })
  harnesses.push(harness)
  const pool = harness.sfu.workers
  const turn = { urls: [], secret: '' }
  return { harness, pool, probes: new Probes({ workers: pool, turn, clock: () => NOW, ...parts }) }
}

const only = (workers: MediaWorker[]): MediaWorker => workers[0] as MediaWorker
const transportsOn = async ({ server }: MediaWorker) => (await server.dump()).webRtcTransportIds.length

describe('a probe', () => {
  it('tells where it answers, by UDP and by TCP, and with which credentials', async () => {
    const { probes, pool } = await open()
    const { udpSockets, tcpServers } = await only(pool.living).server.dump()
    const at = (port?: number) => ({ address: '127.0.0.1', port, foundation: expect.any(String) })
    const probe = await probes.open(ANNA)
    expect(probe).toEqual({
      ice_parameters: { username_fragment: expect.any(String), password: expect.any(String) },
      ice_candidates: [
        { protocol: 'udp', priority: expect.any(Number), ...at(udpSockets[0]?.port) },
        { protocol: 'tcp', priority: expect.any(Number), ...at(tcpServers[0]?.port) },
      ],
      fingerprints: expect.arrayContaining([{ algorithm: 'sha-256', value: expect.any(String) }]),
      ice_servers: [],
      expires_in_ms: 10_000,
    })
    expect((await probes.open(ANNA)).ice_parameters).not.toEqual(probe.ice_parameters)
  })

  it('comes with TURN credentials of nobody that soon expire', async () => {
    const turn = { urls: ['turn:turn.example.org'], secret: 'of coturn' }
    const { probes } = await open({ turn })
    expect((await probes.open(ANNA)).ice_servers).toEqual([
      { urls: turn.urls, ...turnCredentials(turn.secret, 'probe', NOW / 1000 + 300) },
    ])
  })

  it('is gone after its time', async () => {
    const { probes, pool } = await open({ forMs: 1_000 })
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    const node = only(pool.living)
    expect(await transportsOn(node)).toBe(2)
    await vi.waitFor(async () => expect(await transportsOn(node)).toBe(0), 10_000)
    const { routerIds } = await node.worker.dump()
    expect(routerIds).toHaveLength(2) // and the worker's own
    await probes.open(ANNA)
    expect((await node.worker.dump()).routerIds).toEqual(routerIds)
  })

  it('waits for its turn while too many are open, of one address or of all', async () => {
    const { probes, pool } = await open({ limits: { places: 3, placesOfOne: 2 }, forMs: 1_000 })
    const opened: string[] = []
    const asked = [ANNA, ANNA, ANNA, BEN, '2001:db8::2'].map(async address => {
      const probe = await probes.open(address)
      opened.push(address)
      return probe
    })
    await eventually(() => expect(opened).toEqual([ANNA, ANNA, BEN]))
    expect(await transportsOn(only(pool.living))).toBe(3)
    const all = await Promise.all(asked)
    expect(new Set(all.map(({ ice_parameters }) => ice_parameters.password)).size).toBe(5)
  })

  it('is refused when too many wait', async () => {
    const { probes } = await open({ limits: { places: 1, waiting: 1 }, forMs: 500 })
    const opened = await Promise.allSettled([ANNA, BEN, BEN].map(address => probes.open(address)))
    expect(opened).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'temporarily_unavailable' } },
    ])
  })

  it('goes to another worker when the first one dies', async () => {
    const { harness, probes, pool } = await open({ limits: { places: 2 } }, 2)
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    const before = pool.living
    for (const { worker } of before) process.kill(worker.pid, 'SIGKILL')
    await eventually(() => expect(pool.living.filter(node => !before.includes(node))).toHaveLength(2))
    await Promise.all([probes.open(ANNA), probes.open(ANNA)])
    await harness.sfu.stop()
    await expect(probes.open(ANNA)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
  })
})
