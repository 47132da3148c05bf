import { afterEach, assert, beforeEach, describe, expect, it } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, SfuTestHarness, type TestParticipant } from './testing/harness.ts'
import { av1, vp9 } from './testing/rtp.ts'

let harness: SfuTestHarness
const open = async (workers: number, consumersPerWorker = 1) => {
  harness = await SfuTestHarness.open({ workers, consumersPerWorker })
}
afterEach(() => harness.sfu.stop())

async function enter(...ids: string[]): Promise<TestParticipant[]> {
  const all: TestParticipant[] = []
  for (const id of ids) all.push(await harness.participant(id).enter())
  return all
}

const workerOf = ({ endpoint }: TestParticipant): MediaWorker => {
  const worker = harness.sfu.workers.alive.find(({ id }) => id === endpoint.workerId)
  assert(worker)
  return worker
}
const kill = ({ worker }: MediaWorker) => process.kill(worker.pid, 'SIGKILL')
const openConsumers = () => [...harness.consumers.values()].filter(({ closed }) => !closed)
const pipes = () => openConsumers().filter(({ type }) => type === 'pipe')
const openProducers = () => [...harness.producers].filter(({ closed }) => !closed)

/** Answers every offer of a publication. */
async function view(viewer: TestParticipant, publicationId: string, count = 1) {
  const offers = () => viewer.offers.filter(({ negotiation }) => negotiation.publicationId === publicationId)
  await eventually(() => expect(offers()).toHaveLength(count))
  const last = offers().at(-1)
  assert(last)
  await viewer.answer(last)
  return viewer.consumer(last)
}

describe('a room on two workers', () => {
  let anna: TestParticipant
  let ben: TestParticipant
  let cleo: TestParticipant
  let dora: TestParticipant
  beforeEach(async () => {
    await open(2)
    const all = await enter('anna', 'ben', 'cleo', 'dora')
    ;[anna, ben, cleo, dora] = all as [TestParticipant, TestParticipant, TestParticipant, TestParticipant]
  })

  it('has half of the participants on each', () => {
    const nodes = [anna, ben, cleo, dora].map(({ endpoint }) => endpoint.workerId)
    expect(new Set(nodes).size).toBe(2)
    expect(nodes.filter(id => id === nodes[0])).toHaveLength(2)
    expect(harness.sfu.workersOf(1)).toEqual([...new Set(nodes)])
    expect(new Set([anna, ben].map(({ endpoint }) => endpoint.routeGeneration)).size).toBe(1)
  })

  it('offers a publication to all, and pipes it once', async () => {
    await anna.publish('cam-1', 'camera')
    for (const viewer of [ben, cleo, dora]) {
      const consumer = await view(viewer, 'cam-1')
      expect([consumer.type, consumer.paused, consumer.producerPaused]).toEqual(['simulcast', false, false])
    }
    expect(pipes()).toHaveLength(1)
    expect(openProducers()).toHaveLength(2)
    expect(anna.offers).toEqual([])
  })

  it('pipes nothing before a viewer on the other worker can receive it', async () => {
    const near = [ben, cleo, dora].filter(({ endpoint }) => endpoint.workerId === anna.endpoint.workerId)
    const far = [ben, cleo, dora].filter(({ endpoint }) => endpoint.workerId !== anna.endpoint.workerId)
    for (const viewer of far) await viewer.open()
    await anna.publish('cam-1', 'camera')
    for (const viewer of near) await view(viewer, 'cam-1')
    expect(pipes()).toEqual([])
    await far[0]?.receive()
    assert(far[0])
    await view(far[0], 'cam-1')
    expect(pipes()).toHaveLength(far[0].endpoint.workerId === anna.endpoint.workerId ? 0 : 1)
  })

  it('closes a pipe with its last viewer, and with its publication', async () => {
    await anna.publish('cam-1', 'camera')
    for (const viewer of [ben, cleo, dora]) await view(viewer, 'cam-1')
    const far = [ben, cleo, dora].filter(({ endpoint }) => endpoint.workerId !== anna.endpoint.workerId)
    for (const [index, viewer] of far.entries()) {
      expect(pipes()).toHaveLength(1)
      if (index === 0) harness.sfu.closeParticipant(1, viewer.ref.participantId)
      else await viewer.open()
    }
    await eventually(() => expect(pipes()).toEqual([]))
    await eventually(() => expect(openProducers()).toHaveLength(1))
    for (const viewer of far.slice(1)) await viewer.receive()
    await eventually(() => expect(far.at(-1)?.offers.length).toBe(2))
    harness.sfu.close(anna.ref, 'cam-1')
    await eventually(() => expect(openConsumers()).toEqual([]))
    expect(openProducers()).toEqual([])
  })

  it('closes the router of a worker that everybody has left', async () => {
    const [first, second] = harness.sfu.workersOf(1)
    for (const viewer of [anna, ben, cleo, dora])
      if (viewer.endpoint.workerId === first) harness.sfu.closeParticipant(1, viewer.ref.participantId)
    expect(harness.sfu.workersOf(1)).toEqual([second])
    const left = harness.sfu.workers.alive.find(({ id }) => id === first)
    await eventually(() => expect(left?.load()).toBe(0))
    harness.sfu.closeRoom(1)
    await eventually(() => expect(harness.sfu.workers.alive.map(({ load }) => load())).toEqual([0, 0]))
  })

  it('pauses, mutes and resumes on both', async () => {
    await anna.publish('mic-1', 'microphone')
    const consumers = await Promise.all([ben, cleo, dora].map(viewer => view(viewer, 'mic-1')))
    await harness.sfu.pause(anna.ref, 'mic-1')
    await eventually(() => expect(consumers.map(each => each.producerPaused)).toEqual([true, true, true]))
    await harness.sfu.resume(anna.ref, 'mic-1')
    await eventually(() => expect(consumers.map(each => each.producerPaused)).toEqual([false, false, false]))
    harness.sfu.mute(1, 'anna', 'audio')
    await eventually(() => expect(consumers.map(each => each.producerPaused)).toEqual([true, true, true]))
    expect(harness.eventsOf('changed')).toHaveLength(3)
  })

  it('chooses layers by the displayed size on both', async () => {
    await anna.publish('cam-1', 'camera')
    await anna.publish('cam-2', 'screen', { parameters: vp9() })
    for (const viewer of [ben, cleo, dora]) {
      const simulcast = await view(viewer, 'cam-1')
      const svc = await view(viewer, 'cam-2')
      expect([simulcast.type, svc.type]).toEqual(['simulcast', 'svc'])
      for (const [height, layer] of [
        [150, 0],
        [400, 1],
        [900, 2],
      ] as const) {
        await harness.sfu.setLayers(viewer.ref, 'cam-1', { width: 16, height })
        expect(simulcast.preferredLayers?.spatialLayer).toBe(layer)
      }
      await harness.sfu.setLayers(viewer.ref, 'cam-2', { width: 160, height: 90 })
      expect(svc.preferredLayers?.spatialLayer).toBe(0)
    }
  })

  it('offers the dependency descriptor of AV1 on both', async () => {
    await anna.publish('cam-1', 'camera', { parameters: av1() })
    for (const viewer of [ben, cleo, dora]) {
      await view(viewer, 'cam-1')
      expect(JSON.stringify(viewer.offers[0]?.offer.rtpParameters)).toContain('dependency-descriptor')
    }
  })

  it('offers only what a viewer can decode, and pipes nothing else', async () => {
    for (const viewer of [ben, cleo, dora]) {
      const capabilities = viewer.endpoint.routerRtpCapabilities
      const codecs = (capabilities.codecs as { kind: string }[]).filter(({ kind }) => kind === 'audio')
      await viewer.receive({ ...capabilities, codecs })
    }
    await anna.publish('cam-1', 'camera')
    await anna.publish('mic-1', 'microphone')
    for (const viewer of [ben, cleo, dora]) await view(viewer, 'mic-1')
    expect(pipes()).toHaveLength(1)
    expect(ben.offers).toHaveLength(1)
  })

  it('sends the publications of both to a recorder', async () => {
    const [far] = [ben, cleo, dora].filter(({ endpoint }) => endpoint.workerId !== anna.endpoint.workerId)
    assert(far)
    await anna.publish('mic-1', 'microphone')
    await far.publish('mic-2', 'microphone')
    const recorder = harness.participant('recorder')
    const options = { kinds: ['audio' as const], ip: '127.0.0.1', port: 9 }
    const egress = await harness.sfu.openEgress(recorder.ref, options)
    for (const id of ['mic-1', 'mic-2']) await view(recorder, id)
    expect(await harness.sfu.openEgress(recorder.ref, options)).toEqual(egress)
    await harness.sfu.requestKeyFrame(recorder.ref, 'mic-1')
    harness.sfu.closeEgress(recorder.ref)
    const closed = () => recorder.offers.map(offer => recorder.consumer(offer).closed)
    await eventually(() => expect(closed()).toEqual([true, true]))
  })

  it('keeps the media of participants on the remaining worker when the other one dies (G5)', async () => {
    const all = [anna, ben, cleo, dora]
    for (const [index, each] of all.entries()) await each.publish(`cam-${index}`, 'camera')
    for (const viewer of all)
      for (const [index, each] of all.entries()) if (each !== viewer) await view(viewer, `cam-${index}`)
    const dying = workerOf(anna)
    const [affected, spared] = [true, false].map(isAffected =>
      all.filter(({ endpoint }) => (endpoint.workerId === dying.id) === isAffected),
    ) as [TestParticipant[], TestParticipant[]]
    const kept = spared.flatMap(viewer =>
      viewer.offers.filter(({ offer }) =>
        spared.some(({ ref }) => ref.participantId === offer.participantId),
      ),
    )
    expect(kept.length).toBeGreaterThan(0)
    const before = anna.endpoint.routeGeneration
    kill(dying)
    await eventually(() => expect(harness.eventsOf('moved')).toHaveLength(1))
    const [spare] = spared
    assert(spare)
    const [[, moved]] = harness.eventsOf('moved') as [[number, { workerIds?: string[] }]]
    const { workerId } = spare.endpoint
    expect(moved).toEqual({ workerId, routeGeneration: String(BigInt(before) + 1n), workerIds: [workerId] })
    for (const { negotiation, offer } of kept) {
      const consumer = harness.consumers.get(offer.consumerId)
      expect([consumer?.closed, consumer?.paused, negotiation.routeGeneration]).toEqual([
        false,
        false,
        before,
      ])
    }
    // The endpoints of the lost worker still take commands and offers of the older generation.
    await spare.publish('mic-9', 'microphone')
    for (const viewer of spared.slice(1)) await view(viewer, 'mic-9')

    await eventually(() => expect(harness.sfu.workers.alive).toHaveLength(2))
    for (const each of affected) {
      await each.enter()
      expect(each.endpoint.routeGeneration).toBe(String(BigInt(before) + 1n))
      await each.publish(`cam-${all.indexOf(each)}`, 'camera')
    }
    for (const viewer of spared)
      for (const each of affected) await view(viewer, `cam-${all.indexOf(each)}`, 2)
    expect(harness.eventsOf('unpublished')).toEqual([])
    expect(harness.eventsOf('published')).toHaveLength(5)
  })

  it('moves as a whole when both workers die', async () => {
    const dead = [...harness.sfu.workers.alive]
    for (const worker of dead) kill(worker)
    await eventually(() => {
      const { alive } = harness.sfu.workers
      expect(alive.filter(worker => dead.includes(worker))).toEqual([])
      expect(alive.length).toBeGreaterThan(0)
      expect(harness.eventsOf('moved').length).toBeGreaterThan(0)
    })
    const all = [anna, ben, cleo, dora]
    for (const each of all) await each.enter()
    await anna.publish('cam-1', 'camera')
    for (const viewer of [ben, cleo, dora]) await view(viewer, 'cam-1')
    const generations = harness
      .eventsOf('moved')
      .map(([, route]) => BigInt((route as { routeGeneration: string }).routeGeneration))
    expect(generations).toEqual([...generations].sort())
    expect(BigInt(anna.endpoint.routeGeneration)).toBeGreaterThanOrEqual(generations.at(-1) ?? 0n)
  })

  it('names all its workers when one of three dies', async () => {
    await harness.sfu.stop()
    await open(3)
    const all = await enter('anna', 'ben', 'cleo')
    expect(new Set(all.map(({ endpoint }) => endpoint.workerId)).size).toBe(3)
    const [first, second, third] = all
    assert(first && second && third)
    kill(workerOf(first))
    await eventually(() => expect(harness.eventsOf('moved')).toHaveLength(1))
    expect(harness.eventsOf('moved')).toMatchObject([
      [1, { workerIds: [second.endpoint.workerId, third.endpoint.workerId] }],
    ])
  })
})

describe('a room with many simultaneous joins', () => {
  it('uses each worker, pipes each publication once, and leaves nothing behind', async () => {
    await open(2, 20)
    const people = Array.from({ length: 12 }, (_, i) => harness.participant(`p${i}`))
    await Promise.all(people.map(each => each.enter()))
    expect(harness.sfu.workersOf(1)).toHaveLength(2)
    await Promise.all(
      people.flatMap((each, i) => [
        each.publish(`cam-${i}`, 'camera'),
        each.publish(`mic-${i}`, 'microphone'),
      ]),
    )
    await eventually(() => expect(people.map(({ offers }) => offers.length)).toEqual(people.map(() => 22)))
    await Promise.all(people.flatMap(each => each.offers.map(offer => each.answer(offer))))
    expect(pipes()).toHaveLength(24)
    expect(openProducers()).toHaveLength(48)
    expect(openConsumers()).toHaveLength(12 * 22 + 24)
    harness.sfu.closeRoom(1)
    await eventually(() => expect(harness.sfu.workers.alive.map(({ load }) => load())).toEqual([0, 0]))
  })

  it('stays on one worker while that can serve it', async () => {
    await open(2, 500)
    const people = await enter('anna', 'ben', 'cleo')
    for (const [i, each] of people.entries()) await each.publish(`cam-${i}`, 'camera')
    expect(harness.sfu.workersOf(1)).toHaveLength(1)
    expect(harness.sfu.workers.alive.map(({ load }) => load()).filter(load => load > 0)).toHaveLength(1)
  })
})
