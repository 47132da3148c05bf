import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aMessage, aParticipant } from '../../call/testing/session.ts'
import { createTestRoom } from '../testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function joined() {
  const all = createTestRoom()
  await all.harness.enter()
  const { control } = all.harness
  const participants = () => control.view.get()?.participants ?? []
  const mia = aParticipant('mia', { user_id: '9', display_name: 'Mia' })
  return {
    ...all,
    join: () => control.updateSession({ participants: [...participants(), mia] }),
    raiseHand: () =>
      control.updateSession({
        participants: participants().map(each => (each === mia ? { ...mia, hand_raised_at_ms: 5 } : each)),
      }),
    say: (id: string, userId = '8') =>
      control.updateSession({
        messages: [...(control.view.get()?.messages ?? []), aMessage(id, 'hello', userId)],
      }),
    pause: () => vi.advanceTimersByTimeAsync(2_000),
  }
}

describe('Alerts', () => {
  it('play a sound for joins, raised hands and messages', async () => {
    const { chimes, join, raiseHand, say, pause } = await joined()
    join()
    await pause()
    raiseHand()
    await pause()
    say('1')
    expect(chimes).toEqual(['join', 'hand', 'message'])
  })

  it('play one sound for what happens at the same time', async () => {
    const { chimes, join, raiseHand, say } = await joined()
    join()
    raiseHand()
    say('1')
    expect(chimes).toEqual(['join'])
  })

  it('are silent for own messages, and those that are read at once', async () => {
    const { room, page, chimes, say, pause } = await joined()
    say('1', '7')
    room.panels.toggle('chat')
    say('2')
    expect(chimes).toEqual([])
    page.setVisible(false)
    await pause()
    say('3')
    expect(chimes).toEqual(['message'])
  })

  it('are optional, each by itself, and remembered', async () => {
    const { room, chimes, storage, join, raiseHand, say, pause } = await joined()
    room.alerts.sounds.join.choose(false)
    room.alerts.sounds.message.choose(false)
    join()
    raiseHand()
    await pause()
    say('1')
    expect(chimes).toEqual(['hand'])
    expect([storage.getItem('alert-join'), storage.getItem('alert-hand')]).toEqual(['off', null])
  })

  it('are in the title of a hidden tab until it is visible, unless that is turned off', async () => {
    const { room, page, join, raiseHand, say } = await joined()
    join()
    expect(room.alerts.get()).toBeNull()
    page.setVisible(false)
    raiseHand()
    expect(room.alerts.get()).toEqual({ is: 'hand', name: 'Mia' })
    say('1')
    expect(room.alerts.get()).toEqual({ is: 'message', name: 'Somebody' })
    page.setVisible(true)
    expect(room.alerts.get()).toBeNull()
    room.alerts.title.choose(false)
    page.setVisible(false)
    say('2')
    expect(room.alerts.get()).toBeNull()
  })
})
