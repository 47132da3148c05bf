import { ControlFailure } from '@lectern/control-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, joinCall, settle } from './testing/call-harness.ts'
import { refuse } from './testing/fake-control.ts'
import { aParticipant, aSession } from './testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('Call', () => {
  it('joins with the display name and exposes the session and the own participant', async () => {
    const { call, control } = await joinCall()
    expect(control.commands[0]).toMatchObject({
      name: 'conference.join',
      target: { kind: 'conference', id: 'k7mq' },
      body: { display_name: 'Anna' },
    })
    expect(call.get()).toMatchObject({
      is: 'joined',
      me: { participant_id: 'p1' },
      session: { conference_session_id: '1' },
    })
    expect(call.recovery.get()).toEqual({ is: 'connected' })
  })

  it('joins at once on a prepared connection, and reconnects a waiting one immediately', async () => {
    const { call, control } = createCallHarness()
    control.reconnect()
    call.open()
    await settle()
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p1' } })
    expect(control.bodies('conference.join')).toHaveLength(1)

    const waiting = createCallHarness()
    waiting.control.disconnect()
    waiting.call.open()
    expect(waiting.control.wakeups).toBe(1)
    waiting.control.reconnect()
    await settle()
    expect(waiting.call.get()).toMatchObject({ is: 'joined' })
    expect(waiting.control.bodies('conference.join')).toHaveLength(1)
  })

  it('keeps the session through a lost connection', async () => {
    const { call, control, states } = await joinCall()
    control.disconnect()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p1' } })
    control.reconnect()
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p1' } })
    expect(states).toEqual(['joined'])
    expect(control.bodies('conference.join')).toHaveLength(1)
  })

  it('joins again when the server has lost the session, and shows the former session until then', async () => {
    const { call, control, states } = await joinCall()
    control.disconnect()
    const join = control.handlers['conference.join']
    control.handlers['conference.join'] = () => new Promise(() => {})
    control.start()
    await settle()
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p1' } })
    control.handlers['conference.join'] = join ?? (() => ({}))
    control.start()
    await settle()
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p2' } })
    expect(states).toEqual(['joined'])
  })

  it("ends with the server's reason when the join is refused", async () => {
    const cases = [
      ['permission_denied', 'removed', 'removed'],
      ['resource_exhausted', 'full', 'full'],
      ['permission_denied', 'room_closed', 'closed'],
      ['invalid_argument', 'conference_not_found', 'not_found'],
      ['permission_denied', 'something_new', 'refused'],
    ] as const
    for (const [code, reason, expected] of cases) {
      const { call, control } = createCallHarness()
      control.handlers['conference.join'] = () => refuse(code, reason)
      call.open()
      await settle()
      expect(call.get()).toEqual({ is: 'ended', reason: expected })
      expect(control.closed).toBe(true)
    }
  })

  it('retries a join that is refused temporarily', async () => {
    const { call, control } = createCallHarness()
    const join = control.handlers['conference.join']
    control.handlers['conference.join'] = () => refuse('temporarily_unavailable')
    call.open()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(call.get()).toMatchObject({ is: 'joining' })
    control.handlers['conference.join'] = join ?? (() => ({}))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(call.get()).toMatchObject({ is: 'joined' })
  })

  it('ends when the session ends or the participant is removed', async () => {
    const cases = [
      ['session.ended', { reason: 'ended' }, 'ended'],
      ['session.ended', { reason: 'cancelled' }, 'cancelled'],
      ['participant.left', { participant_id: 'p1', reason: 'removed' }, 'removed'],
    ] as const
    for (const [name, body, reason] of cases) {
      const { call, control } = await joinCall()
      control.emitEvent('participant.left', { participant_id: 'teacher', reason: 'left' })
      control.emitEvent(name, body)
      expect(call.get()).toEqual({ is: 'ended', reason })
    }
  })

  it('joins again after the server has removed the participant as lost', async () => {
    const { call, control } = await joinCall()
    control.emitEvent('participant.left', { participant_id: 'p1', reason: 'lost' })
    await settle()
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p2' } })
  })

  it('ends when the connection ends for good', async () => {
    const cases = [
      [{ is: 'forbidden', code: 'link_rotated' }, 'link_rotated'],
      [{ is: 'signed-out', code: 'token_expired' }, 'signed_out'],
      [{ is: 'account-deleted' }, 'account_deleted'],
    ] as const
    for (const [reason, expected] of cases) {
      const { call, control } = await joinCall()
      control.state.set({ is: 'ended', reason })
      expect(call.get()).toEqual({ is: 'ended', reason: expected })
    }
  })

  it('leaves at once and releases the screen and all timers', async () => {
    const { call, camera, control, microphone, transports, tracks } = await joinCall()
    microphone.turnOn()
    camera.turnOn()
    await call.local.screenShare.start()
    call.typing.notify()
    control.emitSignal('chat.typing', 'teacher', {})
    await settle()
    call.leave()
    await settle()
    expect(call.get()).toEqual({ is: 'ended', reason: 'left' })
    expect(control.closed).toBe(true)
    expect(transports.closed).toBe(true)
    expect(tracks.map(track => track.readyState)).toEqual(['ended', 'ended'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('mutes when a moderator requests it, but not when an own device mutes all others', async () => {
    const { call, control, microphone } = await joinCall()
    microphone.turnOn()
    control.emitEvent('participant.muted', muted('own-tablet', null))
    control.emitEvent('participant.muted', muted('teacher', 'own-tablet'))
    expect(microphone.get().is).toBe('on')
    control.emitEvent('participant.muted', muted('teacher', null))
    expect(microphone.get().is).toBe('off')
    expect([...call.local.get()]).toEqual([['audio', 'teacher']])
    microphone.turnOn()
    expect(call.local.get().size).toBe(0)
    microphone.startOpening()
    control.emitEvent('participant.muted', muted('teacher', 'p1'))
    expect(microphone.get().is).toBe('off')
  })

  it('turns off the sound of the shared screen when a moderator mutes audio, and continues to share', async () => {
    const { call, control, tracks } = await joinCall()
    await call.local.screenShare.start()
    expect(call.local.screenShare.get()).toMatchObject({ on: true, sound: 'on' })
    control.emitEvent('participant.muted', muted('teacher', null))
    expect(call.local.screenShare.get()).toMatchObject({ on: true, sound: 'off' })
    expect(tracks.map(track => track.readyState)).toEqual(['live', 'live'])
  })

  it('does not report a source that was already off as muted by a moderator', async () => {
    const { call, control } = await joinCall()
    for (const source of ['audio', 'video', 'screen'])
      control.emitEvent('participant.muted', { ...muted('teacher', null), source })
    expect(call.local.get().size).toBe(0)
  })

  it('follows changes of the own role', async () => {
    const { call, control } = await joinCall()
    const session = aSession('p1')
    control.view.set({ ...session, participants: [aParticipant('p1', { role: 'moderator' })] })
    expect(call.get()).toMatchObject({ me: { role: 'moderator' } })
  })

  it('rejects a refused action with its code', async () => {
    const { call, control } = await joinCall()
    control.handlers['conference.set_lock'] = () => refuse('permission_denied', 'not_moderator')
    await expect(call.actions.setLock(true)).rejects.toBeInstanceOf(ControlFailure)
    await call.actions.muteAll('audio')
    expect(control.commands.at(-1)).toMatchObject({
      name: 'participant.mute',
      target: { kind: 'conference_session', id: '1' },
      body: { source: 'audio' },
    })
  })
})

const muted = (by_participant_id: string, participant_id: string | null) => ({
  by_participant_id,
  participant_id,
  source: 'audio',
})
