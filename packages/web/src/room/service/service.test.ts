import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Lifetime } from '../../call/lifetime.ts'
import { refuse } from '../../call/testing/control.ts'
import { later, makeCallWorld, settle } from '../../call/testing/world.ts'
import { ServiceSwitch } from './service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function recordingOf() {
  const world = makeCallWorld()
  const { call, control } = world
  const recording = new ServiceSwitch(
    call,
    {
      isOn: session => session.recording,
      start: call.actions.startRecording,
      stop: call.actions.stopRecording,
    },
    new Lifetime(),
  )
  await world.enter()
  const told: string[] = []
  recording.subscribe(() => told.push(recording.get().is))
  return { recording, control, told }
}

describe('a recording', () => {
  it('is on when the session says so, not when it was asked for', async () => {
    const { recording, control, told } = await recordingOf()
    await recording.start()
    expect(control.commands.at(-1)).toEqual({
      name: 'recording.start',
      target: { kind: 'conference_session', id: '1' },
      body: {},
    })
    expect(recording.get()).toEqual({ is: 'starting' })
    control.change({ recording: true })
    await recording.stop()
    control.change({ recording: false })
    expect(told).toEqual(['starting', 'on', 'stopping', 'off'])
  })

  it('waits for a recorder that does not come, and can be called off', async () => {
    const { recording, control } = await recordingOf()
    await recording.start()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(recording.get()).toEqual({ is: 'waiting' })
    control.change({ locked: true })
    expect(recording.get()).toEqual({ is: 'waiting' })
    await recording.stop()
    expect(control.commands.at(-1)?.name).toBe('recording.stop')
    expect(recording.get()).toEqual({ is: 'off' })
  })

  it('begins after a wait', async () => {
    const { recording, control } = await recordingOf()
    await recording.start()
    await vi.advanceTimersByTimeAsync(60_000)
    control.change({ recording: true })
    expect(recording.get()).toEqual({ is: 'on' })
  })

  it('is asked for once, however often the button is pressed', async () => {
    const { recording, control } = await recordingOf()
    const answer = later<unknown>()
    control.answers['recording.start'] = () => answer.promise
    void recording.start()
    void recording.start()
    await settle()
    expect(control.bodies('recording.start')).toHaveLength(1)
  })

  it('tells why it is refused, and can be asked for again', async () => {
    const { recording, control } = await recordingOf()
    control.answers['recording.start'] = () => refuse('permission_denied', 'records_itself')
    await recording.start()
    expect(recording.get()).toEqual({ is: 'refused', why: 'records_itself' })
    control.answers['recording.start'] = () => refuse('temporarily_unavailable')
    await recording.start()
    expect(recording.get()).toEqual({ is: 'refused', why: 'failed' })
  })

  it('goes on when its end is refused', async () => {
    const { recording, control, told } = await recordingOf()
    control.change({ recording: true })
    control.answers['recording.stop'] = () => refuse('permission_denied', 'not_moderator')
    await recording.stop()
    expect(told).toEqual(['on', 'stopping', 'refused', 'on'])
  })

  it('is as others have made it', async () => {
    const { recording, control } = await recordingOf()
    control.change({ recording: true })
    expect(recording.get()).toEqual({ is: 'on' })
    control.change({ recording: false })
    expect(recording.get()).toEqual({ is: 'off' })
  })
})
