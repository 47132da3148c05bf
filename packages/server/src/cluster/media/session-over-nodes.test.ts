import { afterAll, afterEach, assert, beforeAll, describe, expect, it, vi } from 'vitest'
import { eventually, SfuTestHarness, TestParticipant } from '../../media/testing/harness.ts'
import { useRealMicrophones } from '../../media/testing/real-microphones.ts'
import { TestReceiver } from '../../media/testing/receiver.ts'
import { vp9 } from '../../media/testing/rtp.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { startTcpProxy } from '../../testing/tcp-proxy.ts'
import { openNetworks, waitFor } from '../testing.ts'
import { TestMediaCluster } from './testing/media-cluster.ts'

vi.setConfig({ testTimeout: 60_000 }) // starts processes

let nats: NatsServer
let harness: SfuTestHarness
let cluster: TestMediaCluster
const networks = openNetworks(() => nats.url)
beforeAll(async () => {
  nats = await startNats()
})
afterEach(async () => {
  await harness.stop()
  await networks.closeAll()
})
afterAll(() => nats.stop())

/** Nodes that are full with one participant of a session. */
async function open(...names: string[]): Promise<void> {
  harness = await SfuTestHarness.open({ republishTimeoutMs: 3_000 }, async (_, parts) => {
    cluster = await TestMediaCluster.start(networks, parts, names)
    return cluster.underTest
  })
}

const nodeOf = ({ endpoint }: TestParticipant) => cluster.nodeOfWorker(endpoint.workerId)

/** Offers may be repeated. */
const openConsumers = (participant: TestParticipant) =>
  [...new Set(participant.offers.map(offer => participant.consumer(offer)))].filter(({ closed }) => !closed)

/** Everybody receives what the others publish, exactly once. */
const receivesAll = (participant: TestParticipant, publications: number) =>
  eventually(() => expect(openConsumers(participant)).toHaveLength(publications))

const pipes = () => cluster.nodes.map(({ sfu }) => sfu.pipes?.size)

describe('a session over several media nodes', () => {
  it('NODE-9 gets a further node when its own are full; participants keep theirs', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    expect(nodeOf(anna)).not.toBe(nodeOf(ben))
    expect(harness.media.workersOf(1).sort()).toEqual([anna.endpoint.workerId, ben.endpoint.workerId].sort())
    expect(harness.media.mediaNodesOf(1)).toHaveLength(2)
    expect(ben.endpoint.routeGeneration).toBe(anna.endpoint.routeGeneration)
    const home = nodeOf(ben)
    await ben.enter()
    expect(nodeOf(ben)).toBe(home)
    await harness.participant('cleo').enter() // both are full
    expect(harness.eventsOf('moved')).toEqual([])

    harness.media.closeParticipant(1, 'cleo')
    harness.media.closeParticipant(1, 'ben')
    await eventually(() => expect(home.rooms.has(1)).toBe(false))
    expect(harness.media.mediaNodesOf(1)).toHaveLength(1)
    await anna.publish('mic', 'microphone') // is not disturbed
    harness.media.closeRoom(1)
    await eventually(() => expect(cluster.nodes.map(({ rooms }) => rooms.size)).toEqual([0, 0]))
  })

  it('NODE-10 pipes a publication for its first viewer there, with its packets, until the last has left', async () => {
    const stopMicrophones = useRealMicrophones()
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    await anna.publish('mic', 'microphone')
    const receiver = await TestReceiver.open()
    const observer = { sessionId: 1, participantId: 'recorder' }
    expect(pipes()).toEqual([
      { sending: 0, receiving: 0 },
      { sending: 0, receiving: 0 },
    ])
    const egress = { kinds: ['audio' as const], ip: '127.0.0.1', port: receiver.port }
    const { workerId } = await harness.media.openEgress(observer, egress)
    expect(cluster.nodeOfWorker(workerId)).not.toBe(nodeOf(anna))
    await eventually(() => expect(harness.offers.get('recorder')).toHaveLength(1))
    const [offer] = harness.offers.get('recorder') ?? []
    assert(offer)
    await harness.media.answer(observer, offer.negotiation, {})
    await eventually(() => expect(receiver.rtp.length).toBeGreaterThan(50))
    const numbers = receiver.rtp.map(packet => packet.readUInt16BE(2))
    expect(numbers).toEqual(numbers.map((_, i) => ((numbers[0] ?? 0) + i) & 0xffff))
    expect(pipes()).toContainEqual({ sending: 1, receiving: 0 })
    expect(pipes()).toContainEqual({ sending: 0, receiving: 1 })

    await harness.media.pause(anna.ref, 'mic')
    await eventually(() => expect(harness.consumers.get(offer.offer.consumerId)?.producerPaused).toBe(true))
    harness.media.mute(1, 'anna', 'audio')
    await harness.media.resume(anna.ref, 'mic')
    await eventually(() => expect(harness.consumers.get(offer.offer.consumerId)?.producerPaused).toBe(false))

    harness.media.closeEgress(observer)
    await eventually(() =>
      expect(pipes()).toEqual([
        { sending: 0, receiving: 0 },
        { sending: 0, receiving: 0 },
      ]),
    )
    expect(harness.eventsOf('unpublished')).toEqual([])
    receiver.close()
    stopMicrophones()
  })

  it('informs a publisher of viewers on another node who cannot decode a video', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = harness.participant('ben')
    const { routerRtpCapabilities } = await ben.open()
    expect(nodeOf(anna)).not.toBe(nodeOf(ben))
    const { codecs, ...rest } = routerRtpCapabilities as { codecs: { mimeType: string }[] }
    await ben.receive({ ...rest, codecs: codecs.filter(({ mimeType }) => mimeType !== 'video/VP9') })
    await anna.publish('cam-1', 'camera', { parameters: vp9() })
    await eventually(() =>
      expect(harness.eventsOf('undecodable')[0]).toEqual([{ sessionId: 1, participantId: 'anna' }, 'cam-1']),
    )
  })

  it('NODE-10 offers what is published, paused, published again and closed on the other node', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    await anna.publish('cam', 'camera')
    const ben = await harness.participant('ben').enter()
    await receivesAll(ben, 1)
    await ben.publish('mic', 'microphone', { paused: true })
    await receivesAll(anna, 1)
    expect(openConsumers(anna)[0]?.producerPaused).toBe(true)
    await harness.media.resume(ben.ref, 'mic')
    await eventually(() => expect(openConsumers(anna)[0]?.producerPaused).toBe(false))
    await anna.enter() // reconnects
    await eventually(() => expect(openConsumers(ben)).toHaveLength(0))
    await anna.publish('cam', 'camera')
    await receivesAll(ben, 1)
    await receivesAll(anna, 1)
    await expect(ben.publish('cam', 'camera')).rejects.toMatchObject({ code: 'media_id_taken' })
    await harness.media.close(anna.ref, 'cam')
    await eventually(() => expect(openConsumers(ben)).toHaveLength(0))
    expect(harness.eventsOf('published')).toHaveLength(2)
    expect(harness.eventsOf('unpublished')).toEqual([[1, { publicationId: 'cam', participantId: 'anna' }]])
  })

  it('NODE-11 moves only the participants of a node that has failed', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-a', 'camera')
    await ben.publish('cam-b', 'camera')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    const { workerId } = anna.endpoint
    await cluster.kill(nodeOf(ben))
    await waitFor(() => harness.eventsOf('moved').length === 1, 'moved')
    const [[, route]] = harness.eventsOf('moved') as [
      [number, { workerIds: string[]; routeGeneration: string }],
    ]
    expect(route.workerIds).toContain(workerId)
    expect(route.workerIds).not.toContain(ben.endpoint.workerId)
    expect(BigInt(route.routeGeneration)).toBeGreaterThan(BigInt(ben.endpoint.routeGeneration))

    await ben.enter()
    expect(route.workerIds).toContain(ben.endpoint.workerId)
    await receivesAll(ben, 1)
    await ben.publish('cam-b', 'camera')
    await receivesAll(anna, 1)
    expect(harness.eventsOf('published')).toHaveLength(2)
    expect(harness.eventsOf('unpublished')).toEqual([])
    await harness.media.restartIce(anna.ref, anna.endpoint.endpointId) // the same endpoint
  })

  it('NODE-7 is dropped by a node that was cut off, when it returns', async () => {
    await open('a')
    const proxy = await startTcpProxy(() => nats.port)
    const cutOff = await cluster.add('b', { nats: `nats://127.0.0.1:${proxy.port}`, graceMs: 600_000 })
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    expect([nodeOf(anna), nodeOf(ben)]).toContain(cutOff)
    await ben.publish('cam-b', 'camera')
    await receivesAll(anna, 1)
    proxy.cut()
    await waitFor(() => harness.eventsOf('moved').length === 1, 'moved')
    expect(cutOff.rooms.has(1)).toBe(true)
    proxy.mend()
    await waitFor(() => !cutOff.rooms.has(1), 'dropped')
    await proxy.close()
  })

  it('NODE-11 ends what is not published again; a node that starts takes further participants', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await ben.publish('cam-b', 'camera')
    await receivesAll(anna, 1)
    await cluster.kill(nodeOf(ben))
    await waitFor(() => harness.eventsOf('unpublished').length === 1, 'unpublished')
    await cluster.add('c')
    harness.media.closeParticipant(1, 'ben')
    const cleo = await harness.participant('cleo').enter()
    expect(nodeOf(cleo).self.name).toBe('c')
    await cleo.publish('cam-c', 'camera')
    await receivesAll(anna, 1)
  })

  it('NODE-11 leaves the first node, which detects the speakers; the next one continues', async () => {
    const stopMicrophones = useRealMicrophones()
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('mic-a', 'microphone')
    await ben.publish('mic-b', 'microphone')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    await cluster.kill(nodeOf(anna))
    await waitFor(() => harness.eventsOf('moved').length === 1, 'moved')
    await anna.enter()
    await anna.publish('mic-a', 'microphone')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    stopMicrophones()
  })

  it('NODE-4 drains one node: its participants move, and the others stay', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-a', 'camera')
    await ben.publish('cam-b', 'camera')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    const drained = nodeOf(anna)
    const done = drained.node.drain(30_000)
    await waitFor(() => harness.eventsOf('moved').length === 1, 'moved')
    const [[, route]] = harness.eventsOf('moved') as [[number, { workerIds: string[] }]]
    expect(route.workerIds).toEqual([ben.endpoint.workerId])
    expect(openConsumers(ben)).toHaveLength(1) // as long as anna is there
    await anna.enter()
    await anna.publish('cam-a', 'camera')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    await done
    expect(drained.rooms.size).toBe(0)
    expect(harness.eventsOf('unpublished')).toEqual([])
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
  })

  it('NODE-5 is taken over with all of its nodes', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-a', 'camera')
    await ben.publish('cam-b', 'camera')
    await Promise.all([receivesAll(anna, 1), receivesAll(ben, 1)])
    const next = await cluster.addOwner('next')
    const adopted = await next.media.adoptRoom({ sessionId: 1, incarnation: 2 })
    expect(adopted?.route?.workerIds?.sort()).toEqual([anna.endpoint.workerId, ben.endpoint.workerId].sort())
    expect(
      adopted?.members.map(({ participantId, endpointId }) => [participantId, endpointId]).sort(),
    ).toEqual([
      ['anna', anna.endpoint.endpointId],
      ['ben', ben.endpoint.endpointId],
    ])
    expect(adopted?.publications.map(({ publicationId }) => publicationId).sort()).toEqual(['cam-a', 'cam-b'])
    next.media.openRoom({ sessionId: 1, incarnation: 2 })
    const described = await next.media.describe(1)
    expect(described?.route?.routeGeneration).toBe(adopted?.route?.routeGeneration)
    expect(described?.members).toHaveLength(2)
    await next.media.restartIce(anna.ref, anna.endpoint.endpointId)
    await next.media.restartIce(ben.ref, ben.endpoint.endpointId)
    expect([openConsumers(anna).length, openConsumers(ben).length]).toEqual([1, 1])

    // The next owner knows enough for a further participant.
    const third = await cluster.add('c')
    await waitFor(() => next.members.get(third.self.id)?.load.workers, 'the third node with its workers')
    const cleo = await next.media.openEndpoint({ sessionId: 1, participantId: 'cleo' })
    expect(cluster.nodeOfWorker(cleo.workerId).self.name).toBe('c')
    await next.media.setRtpCapabilities(
      { sessionId: 1, participantId: 'cleo' },
      cleo.endpointId,
      cleo.routerRtpCapabilities,
    )
    await eventually(() => expect(harness.offers.get('cleo')).toHaveLength(2))
  })

  it('NODE-5 is closed on all of its nodes for an owner that does not take it over', async () => {
    await open('a', 'b')
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-a', 'camera')
    await receivesAll(ben, 1)
    await cluster.owner.network.stop() // as kill -9 does
    const { media } = await cluster.addOwner('next')
    harness.media = media
    media.openRoom({ sessionId: 1, incarnation: 2 })
    const enter = async (id: string) =>
      new TestParticipant(harness, { sessionId: 1, participantId: id }).enter()
    const again = await enter('anna-2')
    await again.publish('cam-2', 'camera')
    // The nodes may have reported their load before: the first one may take several people.
    let other = await enter('ben-2')
    for (let i = 3; nodeOf(again) === nodeOf(other); i++) other = await enter(`ben-${i}`)
    await receivesAll(other, 1)
    await receivesAll(again, 0)
    expect(openConsumers(ben)).toEqual([])
    expect(BigInt(again.endpoint.routeGeneration)).toBeGreaterThan(BigInt(anna.endpoint.routeGeneration))
  })
})
