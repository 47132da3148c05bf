import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Transport, WebRtcTransport } from 'mediasoup/types'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, House, type HouseSettings } from './testing/house.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let houses: House[] = []
afterEach(async () => {
  await Promise.all(houses.map(({ sfu }) => sfu.stop()))
  houses = []
})

async function open(settings: HouseSettings = {}): Promise<House> {
  const house = await House.open(settings)
  houses.push(house)
  return house
}

function workerOf({ sfu }: House, id?: string): MediaWorker {
  const worker = sfu.workers.living.find(living => id === undefined || living.id === id)
  if (!worker) throw new Error('no such worker')
  return worker
}

const kill = ({ worker }: MediaWorker) => process.kill(worker.pid, 'SIGKILL')

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** On a port above those that systems and workers give out by themselves. */
async function openOnPort(settings: HouseSettings = {}): Promise<{ house: House; port: number }> {
  for (;;) {
    const port = randomInt(61_000, 65_000)
    try {
      return { house: await open({ ...settings, port }), port }
    } catch (error) {
      if (!String(error).includes('address already in use')) throw error
    }
  }
}

describe('media workers', () => {
  it('listen on consecutive ports, and announce another address', async () => {
    const { house, port } = await openOnPort({ workers: 2, announcedAddress: '192.0.2.7' })
    const dumps = await Promise.all(house.sfu.workers.living.map(({ server }) => server.dump()))
    const ports = dumps.map(({ udpSockets, tcpServers }) => [...udpSockets, ...tcpServers].map(s => s.port))
    expect(ports).toEqual([
      [port, port],
      [port + 1, port + 1],
    ])
    const { send } = await house.guest('anna').open()
    expect(send.ice_candidates[0]).toMatchObject({ address: '192.0.2.7' })
  })

  it('ask senders for no more than the limit', async () => {
    const house = await open({ maxIncomingBitrate: 3_000_000 })
    const transports: Transport[] = []
    workerOf(house).worker.observer.on('newrouter', router =>
      router.observer.on('newtransport', transport => transports.push(transport)),
    )
    await house.guest('anna').open()
    const stats = await Promise.all(transports.map(each => (each as WebRtcTransport).getStats?.() ?? []))
    expect(stats.map(([each]) => each?.maxIncomingBitrate).filter(limit => limit !== undefined)).toEqual([
      3_000_000,
    ])
  })

  it('listen on the host address as well, and announce both', async () => {
    const { house, port } = await openOnPort({ hostAddress: () => '127.0.0.2' })
    const { receive } = await house.guest('anna').open()
    const candidates = receive.ice_candidates.map(({ protocol, address, port }) => [protocol, address, port])
    expect(candidates.sort()).toEqual([
      ['tcp', '127.0.0.1', port],
      ['tcp', '127.0.0.2', port],
      ['udp', '127.0.0.1', port],
      ['udp', '127.0.0.2', port],
    ])
  })

  it('start with the host address of that moment, and without one', async () => {
    const addresses = ['127.0.0.2', null]
    const house = await open({ hostAddress: () => addresses.shift() ?? null })
    const first = workerOf(house)
    kill(first)
    await eventually(() => expect(workerOf(house).id).not.toBe(first.id))
    const { send } = await house.guest('anna').open()
    expect(new Set(send.ice_candidates.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  })

  it('do not start on a port that is taken', async () => {
    const { port } = await openOnPort()
    await expect(House.open({ port, workers: 2 })).rejects.toThrow('address already in use')
  })

  it('end with the server', async () => {
    const { sfu } = await open({ workers: 2 })
    const pids = sfu.workers.living.map(({ worker }) => worker.pid)
    void sfu.stop()
    await sfu.stop()
    expect(pids.map(isRunning)).toEqual([false, false])
    await expect(sfu.workers.pick()).rejects.toMatchObject({ controlCode: 'temporarily_unavailable' })
  })

  it('take rooms in turn: each goes to the worker with the least to do', async () => {
    const house = await open({ workers: 2 })
    for (let sessionId = 1; sessionId <= 4; sessionId++) await house.guest('anna', sessionId).open()
    expect(house.sfu.workers.living.map(({ load }) => load())).toEqual([6, 6])
  })

  it('are replaced when they are killed, and their rooms move', async () => {
    const { house, port } = await openOnPort()
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const { route_generation, rtc_node_id } = anna.endpoint
    const dead = workerOf(house)
    kill(dead)
    await eventually(() => expect(house.of('moved')).toHaveLength(1))
    await expect(anna.publish('cam-1', 'camera')).rejects.toMatchObject({ reason: 'gone' })

    await Promise.all([anna.enter(), ben.enter()])
    const { endpoint } = anna
    expect(house.of('moved')).toEqual([
      [1, { rtc_node_id: endpoint.rtc_node_id, route_generation: endpoint.route_generation }],
    ])
    expect(endpoint.rtc_node_id).not.toBe(rtc_node_id)
    expect(endpoint.route_generation).toBe(String(BigInt(route_generation) + 1n))
    expect(endpoint.send.ice_candidates).toMatchObject([{ port }, { port }])
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    expect(house.of('published')).toHaveLength(1)
    expect(house.of('unpublished')).toEqual([])
    expect(workerOf(house).worker.pid).not.toBe(dead.worker.pid)
  })

  it('are replaced when they hang, and their rooms move', async () => {
    const house = await open()
    const { rtc_node_id } = await house.guest('anna').open()
    const { pid } = workerOf(house, rtc_node_id).worker
    process.kill(pid, 'SIGSTOP')
    await eventually(() => expect(house.of('moved')).toHaveLength(1))
    expect(house.of('moved')).not.toMatchObject([[1, { rtc_node_id }]])
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false))
  })

  it('that live take the rooms of one that died', async () => {
    const house = await open({ workers: 2 })
    const { rtc_node_id } = await house.guest('anna').open()
    const other = house.sfu.workers.living.find(({ id }) => id !== rtc_node_id)
    kill(workerOf(house, rtc_node_id))
    await eventually(() => expect(house.of('moved')).toMatchObject([[1, { rtc_node_id: other?.id }]]))
    await eventually(() => expect(house.sfu.workers.living).toHaveLength(2))
  })

  it('come back after every death, also while rooms are being opened', async () => {
    const house = await open()
    for (let round = 0; round < 4; round++) {
      const opening = house.guest('anna', round).open()
      kill(workerOf(house))
      await opening.catch(error => expect(error).toMatchObject({ reason: 'gone' }))
      await house.sfu.workers.pick()
    }
    await house.guest('ben').open()
  })

  it('are waited for longer and longer when they keep dying', async () => {
    const house = await open()
    const times: number[] = []
    for (let round = 0; round < 4; round++) {
      const killed = performance.now()
      kill(workerOf(house))
      await once(workerOf(house).worker, 'died')
      await house.sfu.workers.pick()
      times.push(performance.now() - killed)
    }
    expect(times[1]).toBeGreaterThan(100)
    expect(times[3]).toBeGreaterThan(400)
  })

  it('that hang are killed when the server ends', async () => {
    const house = await open()
    const { pid } = workerOf(house).worker
    process.kill(pid, 'SIGSTOP')
    await house.sfu.stop()
    expect(isRunning(pid)).toBe(false)
  })

  it('that die with nobody inside move nobody', async () => {
    const house = await open()
    await house.guest('anna').open()
    house.sfu.closeParticipant(1, 'anna')
    kill(workerOf(house))
    await house.sfu.workers.pick()
    expect(house.of('moved')).toEqual([])
  })

  it('end with the server also while one is being replaced', async () => {
    const house = await open()
    const { worker } = workerOf(house)
    kill(workerOf(house))
    await once(worker, 'died')
    await house.sfu.stop()
    expect(house.sfu.workers.living).toEqual([])
  })
})
