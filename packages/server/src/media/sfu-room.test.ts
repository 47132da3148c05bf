import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'

vi.setConfig({ testTimeout: 30_000 }) // starts processes

let harness: SfuTestHarness
let node: MediaWorker
beforeEach(async () => {
  harness = await SfuTestHarness.open()
  node = harness.sfu.workers.alive[0] as MediaWorker
})
afterEach(() => harness.sfu.stop())

/** Routers of rooms, without the worker's own. */
const routersOfRooms = async () => (await node.worker.dump()).routerIds.length - 1

describe('SfuRoom', () => {
  it('uses no router before somebody opens an endpoint', async () => {
    harness.sfu.openRoom(1)
    harness.sfu.openRoom(1)
    expect(await routersOfRooms()).toBe(0)
    expect(node.load()).toBe(0)
  })

  it('lists its publications', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('mic-1', 'microphone', { paused: true })
    const publication = {
      publicationId: 'mic-1',
      participantId: 'anna',
      source: 'microphone',
      paused: true,
    }
    expect(harness.eventsOf('published')).toEqual([[1, publication]])
  })

  it('derives route generations from the clock, so that they grow across restarts', async () => {
    const before = Date.now()
    const { routeGeneration } = await harness.participant('anna').open()
    expect(Number(routeGeneration)).toBeGreaterThanOrEqual(before)
  })

  it('leaves no transport, no consumer and no router when it is closed', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(1))
    expect(node.load()).toBe(7) // the router, four transports, a producer and a consumer
    harness.sfu.closeRoom(1)
    await eventually(() => expect(node.load()).toBe(0))
    expect(await routersOfRooms()).toBe(0)
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
  })

  it('leaves nothing open when it is closed while somebody opens an endpoint', async () => {
    const opening = harness.participant('anna').open()
    harness.sfu.closeRoom(1)
    await expect(opening).rejects.toMatchObject({ reason: 'gone' })
    await eventually(() => expect(node.load()).toBe(0))
  })

  it('G8 rejects opening an endpoint as final when a later one of the participant has replaced it', async () => {
    const anna = harness.participant('anna')
    const [first, second] = await Promise.allSettled([anna.open(), anna.open()])
    expect(first).toMatchObject({ reason: { code: 'media_superseded' } })
    expect(second.status).toBe('fulfilled')
  })

  it('closes the transports of participants who leave', async () => {
    const anna = await harness.participant('anna').enter()
    await anna.publish('cam-1', 'camera')
    await anna.open()
    harness.sfu.closeParticipant(1, 'anna')
    harness.sfu.closeParticipant(1, 'anna')
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
  })

  it('does not leak memory over two hundred openings and closings', async () => {
    const hundred = async () => {
      for (let sessionId = 0; sessionId < 100; sessionId++) {
        const anna = await harness.participant('anna', sessionId).enter()
        await anna.publish('cam-1', 'camera')
        harness.sfu.closeRoom(sessionId)
      }
      return (await node.worker.getResourceUsage()).ru_maxrss
    }
    const grown = -(await hundred()) + (await hundred())
    expect(grown).toBeLessThan(4096) // KiB
  })
})
