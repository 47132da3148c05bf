import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from './testing/control.ts'
import { makeCallWorld, settle } from './testing/world.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function waiting() {
  const world = makeCallWorld()
  const { control, call } = world
  const join = control.answers['conference.join'] ?? (() => ({}))
  control.answers['conference.join'] = () => refuse('permission_denied', 'approval')
  control.answers['lobby.enter'] = () => ({ status: 'waiting', reason: 'approval' })
  const open = () => {
    control.answers['conference.join'] = join
  }
  const tell = async (status: string, parts = {}) => {
    control.tellAccount('lobby.status', { conference_tag: 'k7mq', status, ...parts })
    await settle()
  }
  call.open()
  await settle()
  return { call, control, states: world.states, open, tell }
}

describe('a call that has to wait', () => {
  it('asks to be admitted, and comes in by itself', async () => {
    const { call, control, states, open, tell } = await waiting()
    expect(control.bodies('lobby.enter')).toEqual([{ display_name: 'Anna' }])
    expect(call.get()).toEqual({ is: 'waiting', reason: 'approval' })
    expect(control.bodies('media.open')).toEqual([])
    open()
    await tell('admitted')
    expect(call.get()).toMatchObject({ is: 'inside', me: { participant_id: 'p1' } })
    expect(states).toEqual(['waiting', 'inside'])
  })

  it('shows another reason, and nothing of another conference', async () => {
    const { call, tell } = await waiting()
    await tell('waiting', { reason: 'not_started' })
    expect(call.get()).toEqual({ is: 'waiting', reason: 'not_started' })
    await tell('denied', { conference_tag: 'other' })
    expect(call.get()).toEqual({ is: 'waiting', reason: 'not_started' })
  })

  it.each(['denied', 'ended', 'closed', 'cancelled', 'timed_out'] as const)(
    'is over when it is %s',
    async why => {
      const { call, control, tell } = await waiting()
      await tell(why)
      expect(call.get()).toEqual({ is: 'over', reason: why })
      expect(control.closed).toBe(true)
    },
  )

  it.each([
    ['permission_denied', 'denied'],
    ['resource_exhausted', 'lobby_full'],
    ['permission_denied', 'plain_link_closed'],
  ] as const)('is over when asking is refused: %s, %s', async (code, reason) => {
    const { call, control } = await waiting()
    control.answers['lobby.enter'] = () => refuse(code, reason)
    control.start()
    await settle()
    expect(call.get()).toEqual({ is: 'over', reason })
  })

  it('goes on waiting through a restart of the server, and asks again', async () => {
    const { call, control, states } = await waiting()
    control.lose()
    control.start()
    await settle()
    expect(control.bodies('lobby.enter')).toHaveLength(2)
    expect([call.get().is, states]).toEqual(['waiting', ['waiting']])
  })

  it('misses no admission that a snapshot of the account has swallowed', async () => {
    const { call, control, open } = await waiting()
    open()
    control.snapshot('account:7')
    await settle()
    expect(call.get()).toMatchObject({ is: 'inside' })
  })

  it('asks again a little later when it was admitted meanwhile, or asks too often', async () => {
    const { call, control, open } = await waiting()
    control.answers['lobby.enter'] = () => refuse('rate_limited')
    control.start()
    await settle()
    expect(call.get()).toMatchObject({ is: 'waiting' })
    control.answers['lobby.enter'] = () => ({ status: 'admitted' })
    open()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(call.get()).toMatchObject({ is: 'inside' })
  })
})
