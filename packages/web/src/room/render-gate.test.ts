import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settle } from '../call/testing/call-harness.ts'
import { aParticipant, aPublication } from '../call/testing/session.ts'
import { createTestRoom } from './testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Somebody who joins another person, whose camera is offered later. */
async function joined() {
  const { room, harness } = createTestRoom()
  const { control } = harness
  const join = control.handlers['conference.join']
  control.handlers['conference.join'] = (...command) => {
    const result = join?.(...command)
    control.updateSession({
      participants: [...(control.view.get()?.participants ?? []), aParticipant('anna')],
      publications: [aPublication({ publication_id: 'camera', participant_id: 'anna' })],
    })
    return result
  }
  await harness.enter()
  const offer = async () => {
    control.receiveMedia({
      media: {
        conference_session_id: '1',
        participant_instance_id: 'p1',
        publication_id: 'camera',
        endpoint_id: 'e1',
        negotiation_id: 'n',
        rtc_node_id: 'node',
        route_generation: '1',
        scope: 'video',
      },
      name: 'webrtc_offer',
      body: { consumer_id: 'c', participant_id: 'anna', source: 'camera' },
    })
    await settle()
  }
  return { room, control, offer }
}

describe('a room', () => {
  it('is rendered once the first track of another person is received, and its offer is answered', async () => {
    const { room, control, offer } = await joined()
    expect(room.call.get().is).toBe('joined')
    await offer()
    expect(control.media.map(({ name }) => name)).toEqual(['webrtc_answer'])
    expect(room.mayRender.get()).toBe(false)
    vi.advanceTimersToNextTimer()
    expect(room.mayRender.get()).toBe(true)
  })

  it('is rendered soon in any case', async () => {
    const { room } = await joined()
    await vi.advanceTimersByTimeAsync(300)
    expect(room.mayRender.get()).toBe(true)
  })

  it('is rendered at once where nobody sends anything, or media does not work', async () => {
    const alone = createTestRoom()
    await alone.harness.enter()
    await vi.advanceTimersByTimeAsync(0)
    expect(alone.room.mayRender.get()).toBe(true)
    const { room, harness } = createTestRoom()
    const opening = Promise.withResolvers<object>()
    harness.control.handlers['media.open'] = () => opening.promise
    await harness.enter()
    expect(room.mayRender.get()).toBe(false)
    opening.resolve(Promise.reject(new Error('no worker')))
    await settle()
    await vi.advanceTimersByTimeAsync(0)
    expect(room.mayRender.get()).toBe(true)
  })
})
