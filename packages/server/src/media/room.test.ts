import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { eventually, House } from './testing/house.ts'

vi.setConfig({ testTimeout: 30_000 }) // processes come and go here

let house: House
let node: MediaWorker
beforeEach(async () => {
  house = await House.open()
  node = house.sfu.workers.living[0] as MediaWorker
})
afterEach(() => house.sfu.stop())

/** Those of rooms: the worker has one of its own for as long as it lives. */
const routersOfRooms = async () => (await node.worker.dump()).routerIds.length - 1

describe('a room', () => {
  it('costs nothing before somebody opens an endpoint', async () => {
    house.sfu.openRoom(1)
    house.sfu.openRoom(1)
    expect(await routersOfRooms()).toBe(0)
    expect(node.load()).toBe(0)
  })

  it('tells what is published in it', async () => {
    const anna = await house.guest('anna').enter()
    await anna.publish('mic-1', 'microphone', { paused: true })
    const publication = {
      publication_id: 'mic-1',
      participant_id: 'anna',
      source: 'microphone',
      paused: true,
    }
    expect(house.of('published')).toEqual([[1, publication]])
  })

  it('numbers its routes from the time, so that they grow over lives of the server', async () => {
    const before = Date.now()
    const { route_generation } = await house.guest('anna').open()
    expect(Number(route_generation)).toBeGreaterThanOrEqual(before)
  })

  it('leaves no transport, no consumer and no router when it is closed', async () => {
    const anna = await house.guest('anna').enter()
    const ben = await house.guest('ben').enter()
    await anna.publish('cam-1', 'camera')
    await eventually(() => expect(ben.offers).toHaveLength(1))
    expect(node.load()).toBe(7) // the router, four transports, a producer and a consumer
    house.sfu.closeRoom(1)
    await eventually(() => expect(node.load()).toBe(0))
    expect(await routersOfRooms()).toBe(0)
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
  })

  it('leaves nothing when it is closed while somebody opens an endpoint', async () => {
    const opening = house.guest('anna').open()
    house.sfu.closeRoom(1)
    await expect(opening).rejects.toMatchObject({ reason: 'gone' })
    await eventually(() => expect(node.load()).toBe(0))
  })

  it('G8 refuses for good to open an endpoint that a later one of the participant has replaced', async () => {
    const anna = house.guest('anna')
    const [first, second] = await Promise.allSettled([anna.open(), anna.open()])
    expect(first).toMatchObject({ reason: { reason: 'superseded', code: 'invalid_argument' } })
    expect(second.status).toBe('fulfilled')
  })

  it('leaves no transport behind of those who go', async () => {
    const anna = await house.guest('anna').enter()
    await anna.publish('cam-1', 'camera')
    await anna.open()
    house.sfu.closeParticipant(1, 'anna')
    house.sfu.closeParticipant(1, 'anna')
    expect((await node.server.dump()).webRtcTransportIds).toEqual([])
  })

  it('leaves no memory: two hundred openings and closings cost nothing that stays', async () => {
    const hundred = async () => {
      for (let sessionId = 0; sessionId < 100; sessionId++) {
        const anna = await house.guest('anna', sessionId).enter()
        await anna.publish('cam-1', 'camera')
        house.sfu.closeRoom(sessionId)
      }
      return (await node.worker.getResourceUsage()).ru_maxrss
    }
    const grown = -(await hundred()) + (await hundred())
    expect(grown).toBeLessThan(4096) // KiB
  })
})
