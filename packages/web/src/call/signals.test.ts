import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinCall } from './testing/call-harness.ts'
import { aMessage } from './testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Speakers', () => {
  it('provides the active speaker and the levels, and treats a missing signal as silence', async () => {
    const { call, control } = await joinCall()
    control.emitSignal('speaker.active', 'teacher', { participant_id: 'teacher' })
    control.emitSignal('audio.levels', 'server', { levels: { teacher: -10 } })
    await vi.advanceTimersByTimeAsync(900)
    control.emitSignal('audio.levels', 'server', { levels: { teacher: -45, quiet: -90 } })
    await vi.advanceTimersByTimeAsync(999)
    expect(call.speakers.get()).toEqual({ active: 'teacher', levels: { teacher: 0.25, quiet: 0 } })
    await vi.advanceTimersByTimeAsync(1)
    expect(call.speakers.get()).toEqual({ active: 'teacher', levels: {} })
    control.disconnect()
    expect(call.speakers.get().active).toBeNull()
  })
})

describe('ConnectionQualities', () => {
  it('provides the connection quality of each participant', async () => {
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

describe('Pointers', () => {
  const share = {
    publication_id: 'screen1',
    participant_id: 'teacher',
    source: 'screen',
    paused: false,
  } as const
  const at = (x: number, y = 0.5) => ({ x, y })

  it('show where others point, until they stop, leave, or nothing more is received', async () => {
    const { call, control } = await joinCall()
    control.addPublication(share)
    const point = (position: object | null) =>
      control.emitSignal('screen.pointer', 'teacher', { publication_id: 'screen1', position }, 3_000)
    point(at(0.25))
    expect([...call.pointers.get()]).toEqual([['screen1', at(0.25)]])
    point(null)
    expect(call.pointers.get().size).toBe(0)
    point(at(0.5))
    await vi.advanceTimersByTimeAsync(2_999)
    expect(call.pointers.get().size).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(call.pointers.get().size).toBe(0)
    point(at(0.75))
    control.removePublication('screen1')
    expect(call.pointers.get().size).toBe(0)
  })

  it('are sent at most ten times a second, the last position included, and repeated while they rest', async () => {
    const { call, control } = await joinCall()
    const sent = () =>
      control.signals.map(({ body }) => (body as { position: { x: number } | null }).position?.x ?? null)
    for (let step = 0; step <= 100; step++) {
      call.pointers.point('own', at(step / 100))
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(100)
    expect(control.signals.length).toBeLessThanOrEqual(12)
    expect(sent().at(-1)).toBe(1)
    const before = control.signals.length
    await vi.advanceTimersByTimeAsync(3_000)
    expect(control.signals.length - before).toBe(2)
    call.pointers.hide()
    expect(sent().at(-1)).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000)
    call.pointers.hide()
    expect(control.signals.length - before).toBe(3)
  })
})

describe('Reactions', () => {
  it('are shown for a few seconds, own ones immediately', async () => {
    const { call, control } = await joinCall()
    expect(call.reactions.show('clap')).toBe(true)
    expect(control.signals).toMatchObject([{ name: 'reaction.shown', body: { reaction: 'clap' } }])
    control.emitSignal('reaction.shown', 'teacher', { reaction: 'heart' })
    control.emitSignal('reaction.shown', 'teacher', { reaction: 'of a newer server' })
    expect(call.reactions.get().map(each => [each.participantId, each.reaction])).toEqual([
      ['p1', 'clap'],
      ['teacher', 'heart'],
    ])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(call.reactions.get()).toEqual([])
  })

  it('are sent once a second at most, and shown in a bounded number', async () => {
    const { call, control } = await joinCall()
    expect([call.reactions.show('clap'), call.reactions.show('clap')]).toEqual([true, false])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(call.reactions.show('clap')).toBe(true)
    for (let times = 0; times < 200; times++)
      control.emitSignal('reaction.shown', 'teacher', { reaction: 'heart' })
    expect(call.reactions.get()).toHaveLength(50)
  })
})

describe('Typing', () => {
  it('notifies the others at intervals, however fast the user types', async () => {
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

  it('lists who is typing, until they have sent the message or stopped', async () => {
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

it('the own signals are sent on when the clock of the machine is set back', async () => {
  const { call, control } = await joinCall()
  const send = () => {
    call.reactions.show('clap')
    call.typing.notify()
    call.pointers.point('screen1', { x: 0.5, y: 0.5 })
  }
  send()
  vi.setSystemTime(Date.now() - 3_600_000)
  await vi.advanceTimersByTimeAsync(3_500)
  control.signals.length = 0
  send()
  expect(control.signals.map(({ name }) => name)).toEqual(['reaction.shown', 'chat.typing', 'screen.pointer'])
})
