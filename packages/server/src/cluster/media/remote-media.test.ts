import { Refusal } from '@lectern/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { EndpointDescription, Publication, SfuEvents } from '../../media/ports.ts'
import { dtlsParameters, opus } from '../../media/testing/rtp.ts'
import { createLog } from '../../platform/log.ts'
import { type NatsServer, startNats } from '../../testing/nats.ts'
import { openNetworks, waitFor } from '../testing.ts'
import { nodeSubject } from './protocol.ts'
import { startNode, startOwner, type TestNode, type TestOwner } from './testing.ts'

let nats: NatsServer
const networks = openNetworks(() => nats.url)
const log = createLog('silent')
const stops: (() => Promise<void>)[] = []
beforeAll(async () => {
  nats = await startNats()
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await networks.closeAll()
})
afterAll(() => nats.stop())

async function node(name: string, options: { region?: string; graceMs?: number } = {}): Promise<TestNode> {
  const started = await startNode(networks, { log, republishTimeoutMs: 2_000 }, { name, ...options })
  stops.push(started.stop)
  return started
}

interface Server extends TestOwner {
  events: unknown[][]
  eventsOf(name: keyof SfuEvents): unknown[][]
}

async function server(name: string, options: { region?: string; nodes?: number } = {}): Promise<Server> {
  const events: unknown[][] = []
  const record = new Proxy(
    {},
    {
      get:
        (_, event) =>
        (...args: unknown[]) =>
          void events.push([event, ...args]),
    },
  ) as SfuEvents
  const started = await startOwner(networks, { events: record, log }, { name, ...options })
  stops.push(started.stop)
  return {
    ...started,
    events,
    eventsOf: wanted => events.filter(([event]) => event === wanted).map(([, ...args]) => args),
  }
}

const ref = (participantId: string, sessionId = 1) => ({ sessionId, participantId })

async function publish(
  { media }: Pick<Server, 'media'>,
  endpoint: EndpointDescription,
  participantId: string,
  publicationId: string,
  sessionId = 1,
) {
  const { endpointId, workerId, routeGeneration } = endpoint
  const negotiation = {
    id: 'n',
    publicationId,
    endpointId,
    workerId,
    routeGeneration,
    kind: 'audio' as const,
    direction: 'publish' as const,
  }
  const offer = { source: 'microphone' as const, paused: false, rtpParameters: opus(), dtlsParameters }
  await media.publish(ref(participantId, sessionId), negotiation, offer)
}

const microphone = (publicationId: string, participantId: string, paused = false): Publication => ({
  publicationId,
  participantId,
  source: 'microphone',
  paused,
})

/** Monotonic time that runs on, and of which the test skips a part. */
function skippableTime(): (ms: number) => void {
  const now = performance.now.bind(performance)
  let skippedMs = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)
  onTestFinished(() => spy.mockRestore())
  return ms => {
    skippedMs += ms
  }
}

const nodeOf = (nodes: TestNode[], sessionId = 1) => nodes.filter(({ rooms }) => rooms.has(sessionId))

describe('sessions on media nodes', () => {
  it('NODE-1 NODE-9 are placed in the region of their server, at the first endpoint, and participants in theirs', async () => {
    const [eu, us] = await Promise.all([node('eu', { region: 'eu' }), node('us', { region: 'us' })])
    const owner = await server('s', { region: 'us', nodes: 2 })
    for (let sessionId = 1; sessionId <= 3; sessionId++) owner.media.openRoom({ sessionId, incarnation: 1 })
    expect([eu.rooms.size, us.rooms.size]).toEqual([0, 0])
    for (let sessionId = 1; sessionId <= 3; sessionId++)
      await owner.media.openEndpoint(ref('anna', sessionId))
    expect([eu.rooms.size, us.rooms.size]).toEqual([0, 3])
    await owner.media.openEndpoint(ref('ben'), { region: 'eu' })
    expect([eu.rooms.size, us.rooms.size]).toEqual([1, 3])
    owner.media.closeParticipant(1, 'ben')
    await waitFor(() => eu.rooms.size === 0)
    expect(owner.media.workersOf(1)).toEqual([us.sfu.workers.alive[0]?.id])
    const workers = await owner.media.readWorkers()
    expect(workers.map(({ node }) => node).sort()).toEqual(['eu', 'us'])
    expect(owner.media.expectedWorkers).toBe(2)
    expect(await owner.media.measureTraffic()).toMatchObject({ incomingBps: 0 })
    const closed = vi.fn()
    expect((await owner.media.openProbe(100, closed)).iceCandidates).not.toEqual([])
    await waitFor(() => closed.mock.calls.length === 1)
  })

  it('NODE-2 are refused while there is no node, and served when one joins', async () => {
    const owner = await server('s', { nodes: 0 })
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    await expect(owner.media.openEndpoint(ref('anna'))).rejects.toMatchObject({ code: 'media_no_worker' })
    await expect(owner.media.openProbe(100, () => {})).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    })
    const open = () => owner.media.openEndpoint(ref('anna'))
    const isOpen = () => open().then(Boolean, () => false) // clients repeat it, too
    const [first] = await Promise.all([node('late'), waitFor(isOpen)])
    expect(first.rooms.has(1)).toBe(true)
    expect(owner.media.qualityOf(1)).toEqual(new Map([['anna', null]]))
  })

  it('NODE-3 move when their node has failed: publications return under their ids, or end', async () => {
    const nodes = await Promise.all([node('a'), node('b')])
    const owner = await server('s', { nodes: 2 })
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    const anna = await owner.media.openEndpoint(ref('anna'))
    const ben = await owner.media.openEndpoint(ref('ben'))
    await publish(owner, anna, 'anna', 'mic-a')
    await publish(owner, ben, 'ben', 'mic-b')
    await waitFor(() => owner.eventsOf('published').length === 2)
    owner.media.mute(1, 'ben', 'audio')
    await waitFor(() => owner.eventsOf('changed').length === 1)

    const [first] = nodeOf(nodes)
    const other = nodes.find(each => each !== first)
    const pending = owner.media.restartIce(ref('anna'), anna.endpointId).catch(() => {})
    await first?.network.stop() // as kill -9 does; without a word
    await waitFor(() => owner.eventsOf('moved').length === 1)
    await pending
    expect(other?.rooms.has(1)).toBe(true)
    const [[, route]] = owner.eventsOf('moved') as [[number, EndpointDescription]]
    expect(BigInt(route.routeGeneration)).toBeGreaterThan(BigInt(anna.routeGeneration))
    await expect(publish(owner, anna, 'anna', 'mic-a')).rejects.toMatchObject({ code: 'media_gone' })

    const again = await owner.media.openEndpoint(ref('anna'))
    const { workerId, routeGeneration } = route
    expect(again).toMatchObject({ workerId, routeGeneration })
    await publish(owner, again, 'anna', 'mic-a')
    await waitFor(() => owner.eventsOf('unpublished').length === 1)
    expect(owner.eventsOf('unpublished')).toEqual([[1, { publicationId: 'mic-b', participantId: 'ben' }]])
    expect(owner.eventsOf('published')).toHaveLength(2)
  })

  it('NODE-3 wait for another node when there is none', async () => {
    const only = await node('a')
    const owner = await server('s')
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    await owner.media.openEndpoint(ref('anna'))
    await only.network.stop()
    await waitFor(() => owner.members.list('media-node').length === 0)
    const next = await node('b')
    await waitFor(() => owner.eventsOf('moved').length === 1)
    expect(next.rooms.has(1)).toBe(true)
  })

  it('NODE-4 move from a draining node once the next route is ready, and none is placed on it', async () => {
    const nodes = await Promise.all([node('a'), node('b')])
    const owner = await server('s', { nodes: 2 })
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    const anna = await owner.media.openEndpoint(ref('anna'))
    await publish(owner, anna, 'anna', 'mic-a')
    const [first] = nodeOf(nodes) as [TestNode]
    const other = nodes.find(each => each !== first) as TestNode
    const drained = first.node.drain(30_000)
    await waitFor(() => owner.eventsOf('moved').length === 1)
    expect(nodeOf(nodes)).toHaveLength(2) // those who have not moved are still served
    await waitFor(async () => (await other.sfu.describe(1))?.publications.length === 1)
    const again = await owner.media.openEndpoint(ref('anna'))
    await publish(owner, again, 'anna', 'mic-a')
    owner.media.openRoom({ sessionId: 2, incarnation: 1 })
    await owner.media.openEndpoint(ref('zoe', 2))
    expect(nodeOf(nodes, 2)).toEqual([other])
    await drained
    expect(first.rooms.size).toBe(0)
    expect(owner.eventsOf('unpublished')).toEqual([])
  })

  it('NODE-5 are taken over with their endpoints, and refuse requests of earlier owners', async () => {
    const only = await node('a')
    const [former, next] = await Promise.all([server('s1'), server('s2')])
    former.media.openRoom({ sessionId: 1, incarnation: 1 })
    const anna = await former.media.openEndpoint(ref('anna'))
    await publish(former, anna, 'anna', 'mic-a')
    expect(await next.media.adoptRoom({ sessionId: 7, incarnation: 2 })).toBeNull()
    expect(await next.media.adoptRoom({ sessionId: 1, incarnation: 2 })).toEqual({
      route: { workerId: anna.workerId, routeGeneration: anna.routeGeneration },
      members: [{ participantId: 'anna', endpointId: anna.endpointId, quality: null }],
      publications: [microphone('mic-a', 'anna')],
    })
    next.media.openRoom({ sessionId: 1, incarnation: 2 })
    former.media.closeRoom(1)
    await expect(publish(former, anna, 'anna', 'mic-x')).rejects.toBeInstanceOf(Refusal)
    former.media.openRoom({ sessionId: 1, incarnation: 1 })
    await expect(former.media.openEndpoint(ref('eve'))).rejects.toMatchObject({ code: 'media_no_session' })

    await next.media.restartIce(ref('anna'), anna.endpointId) // the endpoint is the same
    await next.media.pause(ref('anna'), 'mic-a')
    await waitFor(() => next.eventsOf('changed').length === 1)
    expect(former.eventsOf('changed')).toEqual([])
    expect(only.rooms.ownerOf(1)).toBe(next.self.id)
    const later = await next.media.openEndpoint(ref('ben'))
    expect(later.routeGeneration).toBe(anna.routeGeneration)
  })

  it('NODE-6 stay on their nodes when the next owner reports its other rooms before it has taken these over', async () => {
    const only = await node('a')
    const [former, next] = [await server('s'), await server('t')]
    former.media.openRoom({ sessionId: 1, incarnation: 1 })
    await former.media.openEndpoint(ref('anna'))
    next.media.openRoom({ sessionId: 2, incarnation: 1 })
    await next.media.openEndpoint(ref('zoe', 2))
    const keep = vi.spyOn(only.rooms, 'keep')
    const reports = () => keep.mock.calls.filter(([owner]) => owner === next.self.id).length
    const describe = only.sfu.describe.bind(only.sfu)
    let isReported = false
    for (let incarnation = 2; !isReported; incarnation++) {
      vi.spyOn(only.sfu, 'describe').mockImplementation(async sessionId => {
        const before = reports()
        await waitFor(() => reports() > before)
        return describe(sessionId)
      })
      // On a busy machine the report may come too late, when the adoption has been given up.
      isReported = (await next.media.adoptRoom({ sessionId: 1, incarnation })) !== null
      vi.restoreAllMocks()
      if (!isReported && !only.rooms.has(1)) {
        former.media.openRoom({ sessionId: 1, incarnation: ++incarnation })
        await former.media.openEndpoint(ref('anna'))
      }
    }
    expect(only.rooms.ownerOf(1)).toBe(next.self.id)
    expect(only.sfu.workersOf(1)).toHaveLength(1)
  })

  it('NODE-6 outlive their owner, and an outage of NATS, for the grace time', async () => {
    const graceMs = 30_000
    const skip = skippableTime()
    const only = await node('a', { graceMs })
    const measure = vi.spyOn(only.node, 'measure') // by each tick
    const owner = await server('s')
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    await owner.media.openEndpoint(ref('anna'))
    owner.media.openRoom({ sessionId: 2, incarnation: 1 })
    await owner.media.openEndpoint(ref('zoe', 2))
    await nats.kill()
    await waitFor(() => !only.network.isConnected && !owner.network.isConnected)
    await expect(owner.media.openEndpoint(ref('ben'))).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    })
    skip(graceMs + 1_000)
    const ticks = measure.mock.calls.length
    await waitFor(() => measure.mock.calls.length > ticks, 'the node has looked for rooms without an owner')
    expect(only.rooms.size).toBe(2)
    await nats.restart()
    await waitFor(() => only.network.isConnected && owner.network.isConnected)
    await waitFor(() =>
      owner.media
        .openEndpoint(ref('ben'))
        .then(() => true)
        .catch(() => false),
    )
    expect(owner.eventsOf('moved')).toEqual([])
    owner.media.releaseRoom(2) // for a server that never comes
    await owner.network.stop()
    expect(only.rooms.size).toBe(2)
    skip(graceMs + 1_000)
    await waitFor(() => only.rooms.size === 0)
    expect(await only.sfu.describe(1)).toBeNull()
  })

  it('NODE-7 are the same on both sides after an outage of NATS', async () => {
    const only = await node('a')
    const owner = await server('s')
    for (const sessionId of [1, 2]) owner.media.openRoom({ sessionId, incarnation: 1 })
    const anna = await owner.media.openEndpoint(ref('anna'))
    const ben = await owner.media.openEndpoint(ref('ben'))
    await owner.media.openEndpoint(ref('zoe', 2))
    await publish(owner, anna, 'anna', 'mic-a')
    await publish(owner, ben, 'ben', 'mic-b')
    await owner.media.setRtpCapabilities(ref('ben'), ben.endpointId, ben.routerRtpCapabilities)
    await waitFor(() => owner.eventsOf('offer').length === 1)
    await nats.kill()
    await waitFor(() => !only.network.isConnected && !owner.network.isConnected)
    owner.media.closeRoom(2)
    owner.media.mute(1, 'anna', 'audio')
    await only.sfu.pause(ref('ben'), 'mic-b') // an event of it is lost
    owner.media.closeParticipant(1, 'nobody')
    const [negotiation] = (owner.eventsOf('offer')[0] as unknown[]).slice(1)
    await expect(owner.media.answer(ref('ben'), negotiation as never, {})).rejects.toMatchObject({
      code: 'temporarily_unavailable',
    })
    await nats.restart()
    await waitFor(() => owner.eventsOf('changed').length >= 2)
    const changed = owner.eventsOf('changed').map(([, publication]) => publication)
    expect(changed).toContainEqual(microphone('mic-a', 'anna', true))
    expect(changed).toContainEqual(microphone('mic-b', 'ben', true))
    await waitFor(() => owner.eventsOf('offer').length >= 2)
    await waitFor(() => !only.rooms.has(2))

    owner.media.closeParticipant(1, 'ben')
    await waitFor(() => owner.eventsOf('unpublished').length === 1)
    expect((await owner.media.describe(1))?.publications).toEqual([microphone('mic-a', 'anna', true)])
  })

  it('NODE-8 move when their node has lost them', async () => {
    const only = await node('a')
    const owner = await server('s')
    owner.media.openRoom({ sessionId: 1, incarnation: 1 })
    const anna = await owner.media.openEndpoint(ref('anna'))
    await publish(owner, anna, 'anna', 'mic-a')
    only.rooms.remove(1)
    only.sfu.closeRoom(1)
    await waitFor(() => owner.eventsOf('moved').length === 1)
    const again = await owner.media.openEndpoint(ref('anna'))
    expect(BigInt(again.routeGeneration)).toBeGreaterThan(BigInt(anna.routeGeneration))
    await publish(owner, again, 'anna', 'mic-a')
  })
})

describe('a media node', () => {
  beforeEach(async () => {
    await node('a')
  })

  it('refuses unknown requests, and continues', async () => {
    const owner = await server('s')
    const [{ id } = { id: '' }] = owner.members.list('media-node')
    const ask = (message: unknown) => owner.network.request(nodeSubject(id), message, 10_000)
    const wrong = [
      null,
      7,
      {},
      { name: 'call' },
      { name: 'constructor', body: {} },
      { name: 'call', body: { method: 'stop', incarnation: 1, args: [1] } },
      { name: 'call', body: { method: 'mute', incarnation: 1, args: [{}] } },
      { name: 'open', body: null },
    ]
    for (const message of wrong)
      await expect(ask(message), JSON.stringify(message)).rejects.toBeInstanceOf(Refusal)
    expect(await ask({ name: 'ping', body: {} })).toBeNull()
  })

  it('runs methods only in rooms that the sender owns', async () => {
    const owner = await server('s')
    const [{ id } = { id: '' }] = owner.members.list('media-node')
    const call = { method: 'closeRoom', incarnation: 1, args: [5] }
    expect(await owner.network.request(nodeSubject(id), { name: 'call', body: call }, 10_000)).toEqual({
      is: 'unknown_room',
    })
  })
})
