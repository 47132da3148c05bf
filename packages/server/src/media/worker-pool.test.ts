import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Transport, WebRtcTransport } from 'mediasoup/types'
import { afterEach, describe, expect, it } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, type HarnessSettings, SfuTestHarness } from './testing/harness.ts'

let harnesses: SfuTestHarness[] = []
afterEach(async () => {
  await Promise.all(harnesses.map(each => each.stop()))
  harnesses = []
})

async function open(settings: HarnessSettings = {}): Promise<SfuTestHarness> {
  const harness = await SfuTestHarness.open(settings)
  harnesses.push(harness)
  return harness
}

function workerOf({ sfu }: SfuTestHarness, id?: string): MediaWorker {
  const worker = sfu.workers.alive.find(living => id === undefined || living.id === id)
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

/** Above the ephemeral ports of systems and workers. */
async function openOnPort(
  settings: HarnessSettings = {},
): Promise<{ harness: SfuTestHarness; port: number }> {
  for (;;) {
    const port = randomInt(61_000, 65_000)
    try {
      return { harness: await open({ ...settings, port }), port }
    } catch (error) {
      if (!String(error).includes('address already in use')) throw error
    }
  }
}

describe('media workers', () => {
  it('name the settings of an address at which they cannot listen', async () => {
    const { port } = await openOnPort()
    await expect(open({ port })).rejects.toThrow(/\[Media\] ListenIp and Port: .*address already in use/)
  })

  it('listen on consecutive ports, and announce another address', async () => {
    const { harness, port } = await openOnPort({ workers: 2, announcedAddress: '192.0.2.7' })
    const dumps = await Promise.all(harness.sfu.workers.alive.map(({ server }) => server.dump()))
    const ports = dumps.map(({ udpSockets, tcpServers }) => [...udpSockets, ...tcpServers].map(s => s.port))
    expect(ports).toEqual([
      [port, port],
      [port + 1, port + 1],
    ])
    const { send } = await harness.participant('anna').open()
    expect(send.iceCandidates[0]).toMatchObject({ address: '192.0.2.7' })
  })

  it('listen on the announced address of a machine with several, from which the answers leave then', async () => {
    const harness = await open({ listenIp: '0.0.0.0', announcedAddress: '127.0.0.1' })
    const { udpSockets, tcpServers } = await workerOf(harness).server.dump()
    expect([...udpSockets, ...tcpServers].map(({ ip }) => ip)).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  it('announce the addresses of a name, to which browsers send nothing', async () => {
    const harness = await open({ announcedAddress: 'localhost' })
    const { send, receive } = await harness.participant('anna').open()
    const probe = await harness.sfu.openProbe(1000, () => {})
    for (const { iceCandidates } of [send, receive, probe])
      expect(iceCandidates).toMatchObject([
        { protocol: 'udp', address: '127.0.0.1', ip: '127.0.0.1' },
        { protocol: 'tcp', address: '127.0.0.1', ip: '127.0.0.1' },
      ])
  })

  it('start with a name that has no address, and log it', async () => {
    const harness = await open({ announcedAddress: 'nowhere.invalid' })
    const { send } = await harness.participant('anna').open()
    expect(send.iceCandidates).toEqual([])
    expect(harness.log).toContainEqual(
      expect.objectContaining({ name: 'nowhere.invalid', msg: '[Media] AnnouncedAddress has no address' }),
    )
  })

  it('request no more than the bitrate limit from senders', async () => {
    const harness = await open({ maxIncomingBitrate: 3_000_000 })
    const transports: Transport[] = []
    workerOf(harness).worker.observer.on('newrouter', router =>
      router.observer.on('newtransport', transport => transports.push(transport)),
    )
    await harness.participant('anna').open()
    const stats = await Promise.all(transports.map(each => (each as WebRtcTransport).getStats?.() ?? []))
    expect(stats.map(([each]) => each?.maxIncomingBitrate).filter(limit => limit !== undefined)).toEqual([
      3_000_000,
    ])
  })

  it('listen on the host address, too, and announce both', async () => {
    const { harness, port } = await openOnPort({ hostAddress: () => '127.0.0.2' })
    const { receive } = await harness.participant('anna').open()
    const candidates = receive.iceCandidates.map(({ protocol, address, port }) => [protocol, address, port])
    expect(candidates.sort()).toEqual([
      ['tcp', '127.0.0.1', port],
      ['tcp', '127.0.0.2', port],
      ['udp', '127.0.0.1', port],
      ['udp', '127.0.0.2', port],
    ])
  })

  it('start with the present host address, or without one', async () => {
    const addresses = ['127.0.0.2', null]
    const harness = await open({ hostAddress: () => addresses.shift() ?? null })
    const first = workerOf(harness)
    kill(first)
    await eventually(() => expect(workerOf(harness).id).not.toBe(first.id))
    const { send } = await harness.participant('anna').open()
    expect(new Set(send.iceCandidates.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  })

  it('are replaced by ones at the address that the machine has now, and not while it has none', async () => {
    let address: string | null = '127.0.0.2'
    let checks = 0
    const hostAddress = () => {
      checks++
      return address
    }
    const harness = await open({ hostAddress, listenIp: '0.0.0.0', addressCheckMs: 5 })
    const addressesOf = async (participant: string) => {
      const { send } = await harness.participant(participant).open()
      return [...new Set(send.iceCandidates.map(each => each.address))]
    }
    expect(await addressesOf('anna')).toEqual(['127.0.0.2'])
    address = '127.0.0.3'
    await eventually(() => expect(harness.eventsOf('moved')).toHaveLength(1))
    expect(await addressesOf('anna')).toEqual(['127.0.0.3'])
    address = null
    const seen = checks
    await eventually(() => expect(checks).toBeGreaterThan(seen + 2))
    const replaced = harness.log.filter(({ msg }) => String(msg).includes('has another address'))
    expect(new Set(replaced.map(each => each.address))).toEqual(new Set(['127.0.0.3']))
  })

  it('do not start on a port that is in use', async () => {
    const { port } = await openOnPort()
    await expect(SfuTestHarness.open({ port, workers: 2 })).rejects.toThrow('address already in use')
  })

  it('end with the server', async () => {
    const { sfu } = await open({ workers: 2 })
    const pids = sfu.workers.alive.map(({ worker }) => worker.pid)
    void sfu.stop()
    await sfu.stop()
    expect(pids.map(isRunning)).toEqual([false, false])
    await expect(sfu.workers.pick()).rejects.toMatchObject({ controlCode: 'temporarily_unavailable' })
  })

  it('share rooms: each is placed on the worker with the lowest load', async () => {
    const harness = await open({ workers: 2 })
    for (let sessionId = 1; sessionId <= 4; sessionId++) await harness.participant('anna', sessionId).open()
    expect(harness.sfu.workers.alive.map(({ load }) => load())).toEqual([6, 6])
  })

  it('are replaced when they are killed, and their rooms move', async () => {
    const { harness, port } = await openOnPort()
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const { routeGeneration, workerId } = anna.endpoint
    const dead = workerOf(harness)
    kill(dead)
    await eventually(() => expect(harness.eventsOf('moved')).toHaveLength(1))
    await expect(anna.publish('cam-1', 'camera')).rejects.toMatchObject({ reason: 'gone' })

    await Promise.all([anna.enter(), ben.enter()])
    const { endpoint } = anna
    expect(harness.eventsOf('moved')).toEqual([
      [1, { workerId: endpoint.workerId, routeGeneration: endpoint.routeGeneration }],
    ])
    expect(endpoint.workerId).not.toBe(workerId)
    expect(endpoint.routeGeneration).toBe(String(BigInt(routeGeneration) + 1n))
    expect(endpoint.send.iceCandidates).toMatchObject([{ port }, { port }])
    await anna.publish('mic-1', 'microphone')
    await eventually(() => expect(ben.offers).toHaveLength(2))
    expect(harness.eventsOf('published')).toHaveLength(1)
    expect(harness.eventsOf('unpublished')).toEqual([])
    expect(workerOf(harness).worker.pid).not.toBe(dead.worker.pid)
  })

  it('are replaced when they hang, and their rooms move', async () => {
    const harness = await open()
    const { workerId } = await harness.participant('anna').open()
    const { pid } = workerOf(harness, workerId).worker
    process.kill(pid, 'SIGSTOP')
    await eventually(() => expect(harness.eventsOf('moved')).toHaveLength(1))
    expect(harness.eventsOf('moved')).not.toMatchObject([[1, { workerId }]])
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('that are running take over the rooms of one that died', async () => {
    const harness = await open({ workers: 2 })
    const { workerId } = await harness.participant('anna').open()
    const other = harness.sfu.workers.alive.find(({ id }) => id !== workerId)
    kill(workerOf(harness, workerId))
    await eventually(() => expect(harness.eventsOf('moved')).toMatchObject([[1, { workerId: other?.id }]]))
    await eventually(() => expect(harness.sfu.workers.alive).toHaveLength(2))
  })

  it('are replaced after every death, also while rooms are being opened', async () => {
    const harness = await open()
    for (let round = 0; round < 4; round++) {
      const opening = harness.participant('anna', round).open()
      kill(workerOf(harness))
      await opening.catch(error => expect(error).toMatchObject({ reason: 'gone' }))
      await harness.sfu.workers.pick()
    }
    await harness.participant('ben').open()
  })

  it('are restarted with growing delays when they keep dying', async () => {
    const harness = await open()
    const times: number[] = []
    for (let round = 0; round < 4; round++) {
      const killed = performance.now()
      kill(workerOf(harness))
      await once(workerOf(harness).worker, 'died')
      await harness.sfu.workers.pick()
      times.push(performance.now() - killed)
    }
    expect(times[1]).toBeGreaterThan(100)
    expect(times[3]).toBeGreaterThan(400)
  })

  it('that hang are killed when the server ends', async () => {
    const harness = await open()
    const { pid } = workerOf(harness).worker
    process.kill(pid, 'SIGSTOP')
    await harness.stop()
    expect(isRunning(pid)).toBe(false)
  })

  it('that die without participants emit no move', async () => {
    const harness = await open()
    await harness.participant('anna').open()
    harness.media.closeParticipant(1, 'anna')
    kill(workerOf(harness))
    await harness.sfu.workers.pick()
    expect(harness.eventsOf('moved')).toEqual([])
  })

  it('end with the server also while one is being replaced', async () => {
    const harness = await open()
    const { worker } = workerOf(harness)
    kill(workerOf(harness))
    await once(worker, 'died')
    await harness.stop()
    expect(harness.sfu.workers.alive).toEqual([])
  })
})
