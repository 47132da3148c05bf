import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinCall } from './testing/call-harness.ts'
import { aMessage } from './testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Speakers', () => {
  it('knows the active speaker and the levels, and treats a missing signal as silence', async () => {
    const { call, control } = await joinCall()
    control.emitSignal('speaker.active', 'teacher', { participant_id: 'teacher' })
    control.emitSignal('audio.levels', 'server', { levels: { teacher: -10 } })
    await vi.advanceTimersByTimeAsync(900)
    control.emitSignal('audio.levels', 'server', { levels: { teacher: -45, quiet: -90 } })
    await vi.advanceTimersByTimeAsync(999)
    expect(call.speakers.get()).toEqual({ active: 'teacher', levels: { teacher: 0.25, quiet: 0 } })
    await vi.advanceTimersByTimeAsync(1)
    expect(call.speakers.get()).toEqual({ active: 'teacher', levels: {} })
  })
})

describe('ConnectionQualities', () => {
  it('knows the connection quality of each participant', async () => {
    const { call, control } = await joinCall()
    control.emitSignal('connection.quality', 'teacher', { score: 3 })
    control.emitSignal('connection.quality', 'p1', { score: 6 })
    control.emitSignal('connection.quality', 'p1', { score: 10 })
    expect([...call.qualities.get()]).toEqual([
      ['teacher', 'poor'],
      ['p1', 'good'],
    ])
  })
})

describe('Typing', () => {
  it('notifies the others at intervals, however fast somebody types', async () => {
    const { call, control } = await joinCall()
    for (let key = 0; key < 40; key++) {
      call.typing.notify()
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(control.signals).toHaveLength(2)
    expect(control.signals[0]).toEqual({
      streamId: 'session:1',
      sourceId: 'p1',
      name: 'chat.typing',
      body: {},
      ttlMs: 5_000,
    })
  })

  it('lists who types, until they have sent the message or stopped', async () => {
    const { call, control } = await joinCall()
    control.emitSignal('chat.typing', 'p1', {}, 5_000)
    control.emitSignal('chat.typing', 'teacher', {}, 5_000)
    control.emitSignal('chat.typing', 'own-tablet', {}, 5_000)
    expect(call.typing.get()).toEqual(['teacher', 'own-tablet'])
    control.emitEvent('chat.message', { message: aMessage('1', 'well', '8') })
    expect(call.typing.get()).toEqual(['own-tablet'])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(call.typing.get()).toEqual([])
  })
})
