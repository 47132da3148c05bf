import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from './testing/call-harness.ts'
import { refuse } from './testing/fake-control.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function waiting() {
  const harness = createCallHarness()
  const { control, call } = harness
  const join = control.handlers['conference.join'] ?? (() => ({}))
  control.handlers['conference.join'] = () => refuse('permission_denied', 'approval')
  control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
  const open = () => {
    control.handlers['conference.join'] = join
  }
  const emitStatus = async (status: string, parts = {}) => {
    control.emitAccountEvent('lobby.status', { conference_tag: 'k7mq', status, ...parts })
    await settle()
  }
  call.open()
  await settle()
  return { call, control, states: harness.states, open, emitStatus }
}

describe('a call in the lobby', () => {
  it('requests admission and joins automatically when admitted', async () => {
    const { call, control, states, open, emitStatus } = await waiting()
    expect(control.bodies('lobby.enter')).toEqual([{ display_name: 'Anna' }])
    expect(call.get()).toEqual({ is: 'waiting', reason: 'approval' })
    expect(control.bodies('media.open')).toEqual([])
    open()
    await emitStatus('admitted')
    expect(call.get()).toMatchObject({ is: 'joined', me: { participant_id: 'p1' } })
    expect(states).toEqual(['waiting', 'joined'])
  })

  it('ends the sharing of a screen: admitted later, nobody expects that it is shared again', async () => {
    const { call, control, enter } = createCallHarness()
    await enter()
    await call.local.screenShare.start()
    control.disconnect()
    control.handlers['conference.join'] = () => refuse('permission_denied', 'approval')
    control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
    expect(call.local.screenShare.get().on).toBe(true)
    control.start()
    await settle()
    expect([call.get().is, call.local.screenShare.get().on]).toEqual(['waiting', false])
  })

  it('is where somebody who was removed waits after asking, and nobody else who was', async () => {
    for (const asks of [true, false]) {
      const { control, call } = createCallHarness({ asks })
      control.handlers['conference.join'] = () => refuse('permission_denied', 'removed')
      control.handlers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
      call.open()
      await settle()
      expect(call.get()).toEqual(
        asks ? { is: 'waiting', reason: 'approval' } : { is: 'ended', reason: 'removed' },
      )
    }
  })

  it('ends where a server lets nobody wait who was removed', async () => {
    const { control, call } = createCallHarness({ asks: true })
    for (const name of ['conference.join', 'lobby.enter'])
      control.handlers[name] = () => refuse('permission_denied', 'removed')
    call.open()
    await settle()
    expect(call.get()).toEqual({ is: 'ended', reason: 'removed' })
  })

  it('is reconnecting only while the connection is lost', async () => {
    const { call, control } = await waiting()
    expect(call.recovery.get().is).toBe('connected')
    control.disconnect()
    expect([call.get().is, call.recovery.get().is]).toEqual(['waiting', 'reconnecting'])
    control.reconnect()
    await settle()
    expect([call.get().is, call.recovery.get().is]).toEqual(['waiting', 'connected'])
  })

  it('follows the reason, and ignores other conferences', async () => {
    const { call, emitStatus } = await waiting()
    await emitStatus('waiting', { reason: 'not_started' })
    expect(call.get()).toEqual({ is: 'waiting', reason: 'not_started' })
    await emitStatus('denied', { conference_tag: 'other' })
    expect(call.get()).toEqual({ is: 'waiting', reason: 'not_started' })
  })

  it.each(['denied', 'ended', 'closed', 'cancelled', 'timed_out'] as const)(
    'ends when the request is %s',
    async reason => {
      const { call, control, emitStatus } = await waiting()
      await emitStatus(reason)
      expect(call.get()).toEqual({ is: 'ended', reason })
      expect(control.closed).toBe(true)
    },
  )

  it.each([
    ['permission_denied', 'denied'],
    ['resource_exhausted', 'lobby_full'],
    ['permission_denied', 'plain_link_closed'],
  ] as const)('ends when the request to join is refused: %s, %s', async (code, reason) => {
    const { call, control } = await waiting()
    control.handlers['lobby.enter'] = () => refuse(code, reason)
    control.start()
    await settle()
    expect(call.get()).toEqual({ is: 'ended', reason })
  })

  it('stays in the lobby through a server restart, and requests admission again', async () => {
    const { call, control, states } = await waiting()
    control.disconnect()
    control.start()
    await settle()
    expect(control.bodies('lobby.enter')).toHaveLength(2)
    expect([call.get().is, states]).toEqual(['waiting', ['waiting']])
  })

  it('handles an admission that a snapshot of the account replaces', async () => {
    const { call, control, open } = await waiting()
    open()
    control.emitSnapshot('account:7')
    await settle()
    expect(call.get()).toMatchObject({ is: 'joined' })
  })

  it('retries later when it was admitted meanwhile or is rate-limited', async () => {
    const { call, control, open } = await waiting()
    control.handlers['lobby.enter'] = () => refuse('rate_limited')
    control.start()
    await settle()
    expect(call.get()).toMatchObject({ is: 'waiting' })
    control.handlers['lobby.enter'] = () => ({ status: 'admitted' })
    open()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(call.get()).toMatchObject({ is: 'joined' })
  })
})
