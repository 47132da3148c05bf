import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { settle } from '../call/testing/call-harness.ts'
import { refuse } from '../call/testing/fake-control.ts'
import { aParticipant, aSession } from '../call/testing/session.ts'
import { createTestRoom } from './testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function joined() {
  const all = createTestRoom()
  await all.harness.enter()
  return all
}

describe('Room', () => {
  it('reports who has muted this participant, for a while', async () => {
    const { room, harness } = await joined()
    harness.microphone.turnOn()
    room.call.local.mute('audio', 'teacher')
    expect(room.notices.get()).toMatchObject([{ event: { is: 'muted', source: 'audio', by: 'Anna' } }])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(room.notices.get()).toEqual([])
  })

  it('keeps the last three notices', async () => {
    const { room, harness } = await joined()
    for (let times = 0; times < 5; times++) {
      harness.microphone.turnOn()
      room.call.local.mute('audio', 'teacher')
    }
    expect(room.notices.get()).toHaveLength(3)
  })

  it('keeps what concerns this user while a class arrives, the undo of a removal as well', async () => {
    const { room, harness } = await joined()
    const { control, call } = harness
    const [me] = control.view.get()?.participants ?? []
    if (!me) throw new Error('a participant was expected')
    const mia = aParticipant('mia', { user_id: '9', display_name: 'Mia' })
    control.updateSession({ participants: [me, mia] })
    void call.actions.remove('mia').catch(() => {})
    control.updateSession({ participants: [me], removed: [{ user_id: '9', display_name: 'Mia' }] })
    harness.microphone.turnOn()
    call.local.mute('audio', 'teacher')
    const others = ['Ben', 'Cem', 'Dora', 'Eve'].map(name =>
      aParticipant(name, { user_id: name, display_name: name }),
    )
    for (const [at] of others.entries())
      control.updateSession({ participants: [me, ...others.slice(0, at + 1)] })
    expect(room.notices.get().map(({ event }) => event)).toMatchObject([
      { is: 'joined', name: 'Eve' },
      { is: 'removed', isByMe: true },
      { is: 'muted' },
    ])
  })

  it('reports nobody who rejoins after a restart of the server, and who does not, later', async () => {
    const { room, harness, chimes } = await joined()
    const { control } = harness
    const people = (...names: string[]) =>
      names.map(name => aParticipant(name, { user_id: name, display_name: name }))
    const show = (self: string, ...others: string[]) =>
      control.updateSession({ participants: [aParticipant(self), ...people(...others)] })
    show('p1', 'Ben', 'Cem')
    await vi.advanceTimersByTimeAsync(10_000)
    expect([room.notices.get(), chimes]).toEqual([[], ['join']])
    control.disconnect()
    control.handlers['conference.join'] = () => {
      control.view.set({ ...aSession('p2'), participants: [aParticipant('p2')] })
      return { conference_session_id: '1', participant_id: 'p2', role: 'participant' }
    }
    control.start()
    await settle()
    await vi.advanceTimersByTimeAsync(3_000)
    show('p2', 'Ben')
    await vi.advanceTimersByTimeAsync(3_000)
    expect([room.notices.get(), chimes]).toEqual([[], ['join']])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(room.notices.get()).toMatchObject([{ event: { is: 'hasLeft', name: 'Cem' } }])
  })

  it('opens one panel at a time', async () => {
    const { room } = await joined()
    room.panels.toggle('chat')
    room.panels.toggle('people')
    expect(room.panels.get()).toBe('people')
    room.panels.toggle('people')
    expect(room.panels.get()).toBeNull()
  })

  it('releases the devices and the screen at the end', async () => {
    const { room, devices, page } = await joined()
    await devices.start()
    await room.fullscreen.toggle()
    room.leave()
    expect(devices.inUse).toBe(false)
    expect(page.fullscreenElement).toBeNull()
  })

  it('releases them also when the join is refused', async () => {
    const { room, devices, harness } = createTestRoom()
    harness.control.handlers['conference.join'] = () => refuse('resource_exhausted', 'full')
    await devices.start()
    await harness.enter()
    expect(room.call.get()).toEqual({ is: 'ended', reason: 'full' })
    expect(devices.inUse).toBe(false)
  })
})

describe('Fullscreen', () => {
  it("enters and leaves full screen, also by the browser's own key", async () => {
    const { room, page } = await joined()
    await room.fullscreen.toggle()
    expect([room.fullscreen.get(), page.fullscreenElement === null]).toEqual([true, false])
    await page.exitFullscreen()
    expect(room.fullscreen.get()).toBe(false)
  })

  it('fills the window where the browser does not allow full screen', async () => {
    const { room, page } = await joined()
    page.refuses = true
    await room.fullscreen.toggle()
    expect([room.fullscreen.get(), page.fullscreenElement]).toEqual([true, null])
    await room.fullscreen.toggle()
    expect(room.fullscreen.get()).toBe(false)
  })
})
