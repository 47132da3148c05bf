import { Lifetime } from '@lectern/common'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from '../../call/testing/call-harness.ts'
import { refuse } from '../../call/testing/fake-control.ts'
import { ServiceSwitch } from './service.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function recordingOf() {
  const harness = createCallHarness()
  const { call, control } = harness
  const recording = new ServiceSwitch(
    call,
    {
      isOn: session => session.recording,
      start: call.actions.startRecording,
      stop: call.actions.stopRecording,
    },
    new Lifetime(),
  )
  await harness.enter()
  const reported: string[] = []
  recording.subscribe(() => reported.push(recording.get().is))
  return { recording, control, reported }
}

describe('a recording', () => {
  it('is on when the session reports it, not when it was requested', async () => {
    const { recording, control, reported } = await recordingOf()
    await recording.start()
    expect(control.commands.at(-1)).toEqual({
      name: 'recording.start',
      target: { kind: 'conference_session', id: '1' },
      body: {},
    })
    expect(recording.get()).toEqual({ is: 'starting' })
    control.updateSession({ recording: true })
    await recording.stop()
    control.updateSession({ recording: false })
    expect(reported).toEqual(['starting', 'on', 'stopping', 'off'])
  })

  it('waits for a recorder, and can be cancelled', async () => {
    const { recording, control } = await recordingOf()
    await recording.start()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(recording.get()).toEqual({ is: 'waiting' })
    control.updateSession({ locked: true })
    expect(recording.get()).toEqual({ is: 'waiting' })
    await recording.stop()
    expect(control.commands.at(-1)?.name).toBe('recording.stop')
    expect(recording.get()).toEqual({ is: 'off' })
  })

  it('starts after a wait', async () => {
    const { recording, control } = await recordingOf()
    await recording.start()
    await vi.advanceTimersByTimeAsync(60_000)
    control.updateSession({ recording: true })
    expect(recording.get()).toEqual({ is: 'on' })
  })

  it('is requested once, however often the button is clicked', async () => {
    const { recording, control } = await recordingOf()
    const answer = Promise.withResolvers<unknown>()
    control.handlers['recording.start'] = () => answer.promise
    void recording.start()
    void recording.start()
    await settle()
    expect(control.bodies('recording.start')).toHaveLength(1)
  })

  it('reports why it was refused, and can be requested again', async () => {
    const { recording, control } = await recordingOf()
    control.handlers['recording.start'] = () => refuse('permission_denied', 'records_itself')
    await recording.start()
    expect(recording.get()).toEqual({ is: 'refused', reason: 'records_itself' })
    control.handlers['recording.start'] = () => refuse('temporarily_unavailable')
    await recording.start()
    expect(recording.get()).toEqual({ is: 'refused', reason: 'failed' })
  })

  it('continues when stopping is refused', async () => {
    const { recording, control, reported } = await recordingOf()
    control.updateSession({ recording: true })
    control.handlers['recording.stop'] = () => refuse('permission_denied', 'not_moderator')
    await recording.stop()
    expect(reported).toEqual(['on', 'stopping', 'refused', 'on'])
  })

  it('follows what others have started and stopped', async () => {
    const { recording, control } = await recordingOf()
    control.updateSession({ recording: true })
    expect(recording.get()).toEqual({ is: 'on' })
    control.updateSession({ recording: false })
    expect(recording.get()).toEqual({ is: 'off' })
  })
})
