import type { PipeTransport } from 'mediasoup/types'
import { afterEach, assert, beforeEach, describe, expect, it } from 'vitest'
import { RoomRouter } from '../room-router.ts'
import { RtpEgress } from '../rtp-egress.ts'
import { TestCamera } from '../testing/camera.ts'
import { eventually, type SfuTestHarness } from '../testing/harness.ts'
import { LossyRelay } from '../testing/lossy-relay.ts'
import { TestMicrophone } from '../testing/microphone.ts'
import { TestNodes } from '../testing/nodes.ts'
import { TestReceiver } from '../testing/receiver.ts'
import { NodePipes } from './node-pipes.ts'
import type { PipeAddress } from './ports.ts'

let nodes: TestNodes
let a: SfuTestHarness
let b: SfuTestHarness
beforeEach(async () => {
  nodes = new TestNodes()
  ;[a, b] = await Promise.all([nodes.open('a', '127.0.0.2'), nodes.open('b', '127.0.0.3')])
})
afterEach(() => nodes.stop())

const loads = () => [a, b].map(({ sfu }) => sfu.workers.alive.map(({ load }) => load()))

/** Receives a producer of a router as plain RTP. */
async function receive(roomRouter: RoomRouter, producerId: string, layer?: number): Promise<TestReceiver> {
  const target = await TestReceiver.open()
  const egress = await RtpEgress.open(roomRouter, () => '1', {
    kinds: ['audio', 'video'],
    ip: '127.0.0.1',
    port: target.port,
  })
  const { transport } = egress.receive
  const consumer = await transport.consume({
    producerId,
    rtpCapabilities: egress.rtpCapabilities,
    paused: true,
  })
  if (layer !== undefined) await consumer.setPreferredLayers({ spatialLayer: layer })
  await consumer.resume()
  return target
}

const transportsOf = ({ router }: RoomRouter) =>
  (router as unknown as { transportsForTesting: Map<string, PipeTransport> }).transportsForTesting

describe('packets between two nodes', () => {
  let sender: RoomRouter
  let receiver: RoomRouter
  let pipes: NodePipes
  beforeEach(async () => {
    ;[sender, receiver] = (await Promise.all(
      [a, b].map(async ({ sfu }) => RoomRouter.create(await sfu.workers.pick())),
    )) as [RoomRouter, RoomRouter]
    // Node a as b sees it: its routers are found by their ids.
    const open = (_: number, id: string, address: PipeAddress) =>
      id === sender.id ? sender.connectRemote(address) : null
    const host = new NodePipes({
      messages: {
        request: async () => {},
        notify: async (_, notice) => pipes.handleNotice('a', await pass(notice)),
      },
      open,
      log: { warn: () => {} } as never,
    })
    const pass = async (message: unknown) => nodes.intercept(JSON.parse(JSON.stringify(message)))
    pipes = new NodePipes({
      messages: {
        request: async (_, message) => pass(await host.handleRequest('b', await pass(message))),
        notify: async (_, notice) => host.handleNotice('b', await pass(notice)),
      },
      open: () => null,
      log: { warn: () => {} } as never,
    })
  })

  it('arrive complete and in order, over SRTP', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const addresses: PipeAddress[] = []
    nodes.intercept = message => {
      const { receiver: to, srtp } = message as { receiver?: PipeAddress; srtp?: object }
      if (to) addresses.push(to)
      if (srtp) addresses.push(message as PipeAddress)
      return message
    }
    const origin = pipes.origin('a', 1, sender.id)
    const { producer, release } = await receiver.incoming.acquire(origin, microphone.producer.id)
    expect(addresses.map(({ ip }) => ip)).toEqual(['127.0.0.3', '127.0.0.2'])
    for (const { srtp } of addresses) expect(srtp?.keyBase64.length).toBeGreaterThan(20)
    const target = await receive(receiver, producer.id)
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(40))
    const numbers = target.rtp.map(packet => packet.readUInt16BE(2))
    expect(numbers).toEqual(numbers.map((_, i) => ((numbers[0] ?? 0) + i) & 0xffff))
    await microphone.producer.pause()
    await eventually(() => expect(producer.paused).toBe(true))
    await microphone.producer.resume()
    await eventually(() => expect(producer.paused).toBe(false))
    release()
    await eventually(() => expect(sender.node.consumers()).toBe(0))
    target.close()
    microphone.close()
  })

  it('are received anew when the link closed just when they were to be received', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    const origin = pipes.origin('a', 1, sender.id)
    nodes.intercept = message => {
      const isTrack = (message as { kind?: string }).kind !== undefined
      if (isTrack) setImmediate(() => pipes.removeNode('a')) // the worker has not yet answered then
      return message
    }
    await expect(receiver.incoming.acquire(origin, microphone.producer.id)).rejects.toThrow()
    nodes.intercept = message => message
    const { producer, release } = await receiver.incoming.acquire(origin, microphone.producer.id)
    const target = await receive(receiver, producer.id)
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(5))
    release()
    target.close()
    microphone.close()
  })

  it('are encrypted on the way, and sent again when they are lost', async () => {
    const relay = await LossyRelay.open(7)
    nodes.intercept = message => {
      const { receiver: to, ip, srtp } = message as { receiver?: PipeAddress; ip?: string; srtp?: object }
      if (to) {
        relay.second = { ip: to.ip, port: to.port }
        return { ...(message as object), receiver: { ...to, ...relay.forFirst } }
      }
      if (!srtp || ip === undefined) return message
      relay.first = { ip, port: (message as PipeAddress).port }
      return { ...(message as object), ...relay.forSecond }
    }
    const camera = await TestCamera.create(sender.router)
    const { producer } = await receiver.incoming.acquire(pipes.origin('a', 1, sender.id), camera.producer.id)
    const target = await receive(receiver, producer.id, 0)
    await eventually(() => expect(target.rtp.length).toBeGreaterThan(200))
    expect(relay.dropped).toBeGreaterThan(20)
    const numbers = new Set(target.rtp.slice(20, -40).map(packet => packet.readUInt16BE(2)))
    const range = Math.max(...numbers) - Math.min(...numbers) + 1
    expect(numbers.size).toBeGreaterThan(0.95 * range) // the repetitions may be lost, too
    relay.close()
    target.close()
    await camera.close()
  })

  it('are dropped when they are not encrypted with the key of the link', async () => {
    const microphone = await TestMicrophone.create(sender.router)
    nodes.intercept = message => {
      const { srtp } = message as PipeAddress
      if (!srtp) return message
      const keyBase64 = Buffer.alloc(Buffer.from(srtp.keyBase64, 'base64').length, 7).toString('base64')
      return { ...(message as object), srtp: { ...srtp, keyBase64 } }
    }
    const origin = pipes.origin('a', 1, sender.id)
    const { producer } = await receiver.incoming.acquire(origin, microphone.producer.id)
    const target = await receive(receiver, producer.id)
    const [transport] = [...transportsOf(receiver).values()].filter(({ type }) => type === 'pipe')
    await eventually(async () => {
      const [stats] = (await transport?.getStats()) ?? []
      expect(stats?.bytesReceived).toBeGreaterThan(2_000)
    })
    expect(target.rtp).toEqual([])
    target.close()
    microphone.close()
  })

  it('are refused for unknown routers, links and producers, and for malformed messages', async () => {
    const acquire = (router: string, producer: string) =>
      receiver.incoming.acquire(pipes.origin('a', 1, router), producer)
    await expect(acquire('missing', 'x')).rejects.toThrow('no such router')
    await expect(acquire(sender.id, 'x')).rejects.toThrow()
    const { pipes: host } = nodes.sfu('a')
    await expect(host.handleRequest('b', { do: 'send', link: 'x', producer: 'y' })).rejects.toThrow(
      'no such link',
    )
    for (const wrong of [null, 7, {}, { do: 'connect' }, { do: 'send', link: '' }])
      await expect(host.handleRequest('b', wrong)).rejects.toThrow('malformed')
    for (const wrong of [null, {}, { do: 'stop' }, { do: 'closed', link: 'x' }]) host.handleNotice('b', wrong)
    expect(
      a.log.filter(({ msg }) => msg === 'a malformed notice of another media node was ignored'),
    ).toHaveLength(3)
    await eventually(() => expect(loads()).toEqual([[2], [2]])) // routers and one link
    receiver.router.close()
    await eventually(() => expect(loads()).toEqual([[1], [0]]))
  })
})

describe('a room over two nodes', () => {
  const cam = { publicationId: 'cam-1', participantId: 'anna', source: 'camera', paused: false } as const
  const viewersOf = async (...ids: string[]) => Promise.all(ids.map(id => b.participant(id).enter()))

  it('offers the publications of the other node, piped once for its first viewer', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    b.participant('ben')
    nodes.add('b', cam)
    expect(nodes.sfu('a').pipes.size).toEqual({ sending: 0, receiving: 0 })
    const [ben, cleo] = await viewersOf('ben', 'cleo')
    assert(ben && cleo)
    await eventually(() => expect([ben.offers.length, cleo.offers.length]).toEqual([1, 1]))
    const [offer] = ben.offers
    assert(offer)
    expect(offer.offer).toMatchObject({ participantId: 'anna', source: 'camera', kind: 'video' })
    await ben.answer(offer)
    expect(ben.consumer(offer)).toMatchObject({ type: 'simulcast', paused: false })
    expect([nodes.sfu('a').pipes.size, nodes.sfu('b').pipes.size]).toEqual([
      { sending: 1, receiving: 0 },
      { sending: 0, receiving: 1 },
    ])
    await b.sfu.setLayers(ben.ref, 'cam-1', { width: 160, height: 90 })
    expect(ben.consumer(offer).preferredLayers?.spatialLayer).toBe(0)
    await a.sfu.pause(anna.ref, 'cam-1')
    await eventually(() => expect(ben.consumer(offer).producerPaused).toBe(true))
    expect(b.eventsOf('published')).toEqual([])

    a.sfu.close(anna.ref, 'cam-1')
    b.sfu.removeRemotePublication(1, 'cam-1')
    b.sfu.removeRemotePublication(1, 'cam-1')
    await eventually(() => expect(ben.consumer(offer).closed).toBe(true))
    expect(b.eventsOf('unpublished')).toEqual([])
    a.sfu.closeRoom(1)
    b.sfu.closeRoom(1)
    await eventually(() => expect(loads()).toEqual([[0], [0]]))
    await eventually(() =>
      expect(['a', 'b'].map(id => nodes.sfu(id).pipes.size)).toEqual([
        { sending: 0, receiving: 0 },
        { sending: 0, receiving: 0 },
      ]),
    )
  })

  it('offers the next producer of a publication, after its sender has reconnected', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    await anna.enter()
    await eventually(() => expect(ben.offers.map(offer => ben.consumer(offer).closed)).toEqual([true]))
    await anna.publish('cam-1', 'camera')
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(2))
  })

  it('never replaces a publication of its own participants', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    await ben?.publish('cam-1', 'camera')
    expect(() => nodes.add('b', cam)).toThrow('publication')
    b.sfu.removeRemotePublication(1, 'cam-1')
    expect(b.eventsOf('unpublished')).toEqual([])
  })

  it('tries again while the other node does not answer', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    let lost = 0
    nodes.intercept = message => {
      const isRequest = ['connect', 'send'].includes((message as { do?: string }).do ?? '')
      if (!isRequest || lost >= 2) return message
      lost += 1
      return null
    }
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    expect(lost).toBe(2)
    await eventually(() => expect(nodes.sfu('a').pipes.size.sending).toBe(1))
  })

  it('is paused and resumed on the other node, too, when that was disconnected for a moment', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const [offer] = ben.offers
    assert(offer)
    await ben.answer(offer)
    const isPaused = () => ben.consumer(offer).producerPaused
    await a.sfu.pause(anna.ref, 'cam-1')
    await eventually(() => expect(isPaused()).toBe(true))
    let lost = 0
    nodes.intercept = message => {
      const { event } = message as { event?: string }
      return event === 'resumed' && lost++ < 2 ? null : message
    }
    await a.sfu.resume(anna.ref, 'cam-1')
    await eventually(() => expect(isPaused()).toBe(false))
    expect(lost).toBe(3)
  })

  it('ends the transmission on the other node when that was disconnected for a moment', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const [worker] = a.sfu.workers.alive
    assert(worker)
    expect(worker.consumers()).toBe(1)
    let lost = 0
    nodes.intercept = message => ((message as { do?: string }).do === 'stop' && lost++ < 2 ? null : message)
    b.sfu.closeParticipant(1, 'ben')
    await eventually(() => expect(worker.consumers()).toBe(0))
    expect(lost).toBe(3)
  })

  it('detects the speakers of the other node, also after that did not answer, or was considered failed (rule NODE-12)', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('mic-1', 'microphone')
    await b.participant('ben').open() // receives nothing
    let lost = 0
    nodes.intercept = message =>
      (message as { do?: string }).do === 'connect' && lost++ < 1 ? null : message
    nodes.add('b', { publicationId: 'mic-1', participantId: 'anna', source: 'microphone', paused: false })
    const isPiped = () => expect(nodes.sfu('b').pipes.size.receiving).toBe(1)
    await eventually(isPiped)
    expect(lost).toBe(2)
    nodes.sfu('a').pipes.removeNode('b')
    nodes.sfu('b').pipes.removeNode('a')
    expect(nodes.sfu('b').pipes.size.receiving).toBe(0)
    await eventually(isPiped)
  })

  it('leaves nothing behind on either side when a node has failed', async () => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const before = a.sfu.workers.alive.map(({ load }) => load())
    nodes.sfu('a').pipes.removeNode('b')
    nodes.sfu('b').pipes.removeNode('a')
    await eventually(() => expect(ben.offers.map(offer => ben.consumer(offer).closed)).toEqual([true]))
    await eventually(() =>
      expect(['a', 'b'].map(id => nodes.sfu(id).pipes.size)).toEqual([
        { sending: 0, receiving: 0 },
        { sending: 0, receiving: 0 },
      ]),
    )
    expect(a.sfu.workers.alive.map(({ load }) => load())[0]).toBeLessThan(before[0] ?? 0)
    // The node is back: the owner adds its publications again.
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(2))
  })

  it.each(['a', 'b'] as const)('closes its links when a worker of node %s dies', async dying => {
    const anna = await a.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    const [ben] = await viewersOf('ben')
    assert(ben)
    nodes.add('b', cam)
    await eventually(() => expect(ben.offers).toHaveLength(1))
    const [worker] = (dying === 'a' ? a : b).sfu.workers.alive
    assert(worker)
    process.kill(worker.worker.pid, 'SIGKILL')
    await eventually(() =>
      expect(['a', 'b'].map(id => nodes.sfu(id).pipes.size)).toEqual([
        { sending: 0, receiving: 0 },
        { sending: 0, receiving: 0 },
      ]),
    )
    await eventually(() => expect(ben.offers.map(offer => ben.consumer(offer).closed)).toEqual([true]))
  })
})
