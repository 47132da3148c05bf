import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, SfuTestHarness } from './testing/harness.ts'

let harness: SfuTestHarness
let node: MediaWorker
/** WebRTC transports that this process remembers. */
let held: number
beforeEach(async () => {
  harness = await SfuTestHarness.open()
  node = harness.sfu.workers.alive[0] as MediaWorker
  held = 0
  node.server.observer.on('webrtctransporthandled', () => held++)
  node.server.observer.on('webrtctransportunhandled', () => held--)
})
afterEach(() => harness.stop())

/** Routers of rooms, without the worker's own. */
const routersOfRooms = async () => (await node.worker.dump()).routerIds.length - 1

describe('SfuRoom', () => {
  it('uses no router before the first endpoint is opened', async () => {
    harness.media.openRoom({ sessionId: 1, incarnation: 1 })
    harness.media.openRoom({ sessionId: 1, incarnation: 1 })
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

  it('numbers routes by incarnation, above those that earlier versions derived from the clock', async () => {
    const { routeGeneration } = await harness.participant('anna').open()
    expect(BigInt(routeGeneration)).toBe((1n << 42n) + 1n)
    expect(Number(routeGeneration)).toBeGreaterThan(Date.now())
    harness.media.closeRoom(1)
    harness.media.openRoom({ sessionId: 1, incarnation: 2, generationAfter: routeGeneration })
    expect(await harness.media.openRoute(1)).toMatchObject({ routeGeneration: String((2n << 42n) + 1n) })
    harness.media.closeRoom(1)
    const generationAfter = String((2n << 42n) + 7n)
    harness.media.openRoom({ sessionId: 1, incarnation: 2, generationAfter })
    expect(await harness.media.openRoute(1)).toMatchObject({ routeGeneration: String((2n << 42n) + 8n) })
  })

  it('uses the route that was opened in advance', async () => {
    harness.media.openRoom({ sessionId: 1, incarnation: 1 })
    const route = await harness.media.openRoute(1)
    expect(await harness.media.openRoute(1)).toEqual(route)
    expect(await harness.participant('anna').open()).toMatchObject(route)
    await expect(harness.media.openRoute(99)).rejects.toMatchObject({ reason: 'no_session' })
  })

  it('describes its route, members and publications', async () => {
    expect(await harness.media.describe(1)).toBeNull()
    const anna = await harness.participant('anna').enter()
    const { endpointId, workerId, routeGeneration } = anna.endpoint
    await anna.publish('mic-1', 'microphone')
    await harness.participant('ben').open()
    harness.media.closeParticipant(1, 'ben')
    expect(await harness.media.describe(1)).toEqual({
      route: { workerId, routeGeneration },
      members: [{ participantId: 'anna', endpointId, quality: null }],
      publications: [{ publicationId: 'mic-1', participantId: 'anna', source: 'microphone', paused: false }],
    })
  })

  it('leaves no transport, no consumer and no router when it is closed', async () => {
    const anna = await harness.participant('anna').enter()
    const ben = await harness.participant('ben').enter()
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(1))
    expect(node.load()).toBe(7) // the router, four transports, a producer and a consumer
    expect(held).toBe(4)
    harness.media.closeRoom(1)
    await eventually(() => expect(node.load()).toBe(0))
    expect(await routersOfRooms()).toBe(0)
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
    expect(held).toBe(0)
  })

  it('leaves nothing open when it is closed while a transport is being opened in its router', async () => {
    await harness.participant('anna').enter()
    const opening = harness.participant('ben').open()
    harness.media.closeRoom(1)
    await expect(opening).rejects.toMatchObject({ reason: 'gone' })
    await eventually(() => expect(node.load()).toBe(0))
    expect(await routersOfRooms()).toBe(0)
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
    expect(held).toBe(0)
  })

  it('leaves nothing open when it is closed while an endpoint is being opened', async () => {
    const opening = harness.participant('anna').open()
    harness.media.closeRoom(1)
    await expect(opening).rejects.toMatchObject({ reason: 'gone' })
    await eventually(() => expect(node.load()).toBe(0))
    expect(held).toBe(0)
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
    harness.media.closeParticipant(1, 'anna')
    harness.media.closeParticipant(1, 'anna')
    await harness.settled()
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
  })
})
