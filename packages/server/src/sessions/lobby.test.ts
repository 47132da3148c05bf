import { LOBBY_MAX } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { DENIED_FOR_MS, WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from './limits.ts'
import {
  GRACE,
  namesOf,
  openTestHarness,
  refuses,
  TAG,
  type TestHarness,
  userIdOf,
} from './testing/test-harness.ts'

const withLobby = async () => {
  const harness = await openTestHarness()
  harness.entry = 'lobby'
  const anna = await harness.join('anna', 'moderator')
  harness.events.take()
  const waiting = () =>
    harness.registry.state(anna.ref.sessionId)?.state.lobby.map(({ display_name }) => display_name)
  return { harness, anna, waiting }
}
const idOf = (name: string) => String(userIdOf(name))

describe('lobby', () => {
  it('A5 shows moderators who waits, in the order of coming', async () => {
    const { harness, waiting } = await withLobby()
    await harness.wait('ben')
    harness.now += 1000
    await harness.wait('carl')
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.waiting', body: { person: { user_id: idOf('ben'), reason: 'approval' } } },
      { name: 'lobby.waiting', body: { person: { display_name: 'carl', waiting_since_ms: harness.now } } },
    ])
    await harness.wait('ben') // again, as after a reload
    expect(waiting()).toEqual(['ben', 'carl'])
    expect(harness.events.take()).toEqual([])
  })

  it('A5 makes nobody a participant who waits, and opens no session', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    expect(await harness.wait('ben')).toBe('approval')
    await harness.pass(10 * GRACE)
    expect([await harness.registry.isLive(TAG), harness.jobs.heard, harness.events.take()]).toEqual([
      false,
      [],
      [],
    ])
    const anna = await harness.join('anna', 'moderator')
    expect(harness.registry.state(anna.ref.sessionId)?.state).toMatchObject({
      participants: [{ display_name: 'anna' }],
      lobby: [{ display_name: 'ben' }],
    })
  })

  it('A6 admits one, or everybody, at the word of a moderator', async () => {
    const { harness, anna, waiting } = await withLobby()
    for (const name of ['ben', 'carl', 'dora']) await harness.wait(name)
    const eve = await harness.join('eve')
    await refuses(eve.act('lobby.admit', {}), 'not_moderator')
    await refuses(eve.act('lobby.deny', {}), 'not_moderator')
    harness.events.take()
    await anna.act('lobby.admit', { user_id: idOf('carl') })
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('carl'), reason: 'admitted' } },
    ])
    expect([waiting(), harness.told('carl')]).toEqual([
      ['ben', 'dora'],
      ['admitted', null],
    ])
    await harness.walkIn('carl')
    await anna.act('lobby.admit', {})
    await anna.act('lobby.admit', { user_id: idOf('ben') }) // another moderator was faster
    expect(waiting()).toEqual([])
    for (const name of ['ben', 'dora']) await harness.walkIn(name)
  })

  it('A7 denies, and hears no more of the account for a while', async () => {
    const { harness, anna, waiting } = await withLobby()
    await harness.wait('ben')
    await harness.wait('carl')
    harness.events.take()
    await anna.act('lobby.deny', { user_id: idOf('ben') })
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('ben'), reason: 'denied' } },
    ])
    expect([waiting(), harness.told('ben')]).toEqual([['carl'], ['denied', null]])
    await refuses(harness.wait('ben'), 'denied')
    await refuses(harness.wait('ben', null, 2), 'denied')
    await refuses(harness.walkIn('ben'), 'approval')
    await harness.pass(DENIED_FOR_MS - 1)
    await refuses(harness.wait('ben'), 'denied')
    await harness.pass(1)
    expect(await harness.wait('ben')).toBe('approval')
    await anna.act('lobby.deny', {})
    expect([waiting(), harness.told('carl')]).toEqual([[], ['denied', null]])
  })

  it('A8 is full at its limit, and refuses clearly', async () => {
    const { harness, anna } = await withLobby()
    for (let i = 0; i < LOBBY_MAX; i++) await harness.wait(`guest ${i}`)
    await refuses(harness.wait('ben'), 'lobby_full')
    await harness.wait('guest 7')
    await anna.act('lobby.deny', { user_id: idOf('guest 7') })
    expect(await harness.wait('ben')).toBe('approval')
  })

  it('A8 has one connection wait for few conferences', async () => {
    const harness = await openTestHarness()
    for (let i = 0; i <= WAITS_OF_CONNECTION_MAX; i++)
      harness.directory.known.set(`t${i}`, {
        tag: `t${i}`,
        title: '',
        kind: 'ordinary',
        ownerId: 1,
        entry: 'lobby',
      })
    for (let i = 0; i < WAITS_OF_CONNECTION_MAX; i++) await harness.wait('ben', null, 1, `t${i}`)
    await refuses(harness.wait('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`), 'too_many_waits')
    await harness.wait('ben', null, 1, 't0')
    await harness.conferences.leaveLobby('t0', 'ben-1')
    await harness.wait('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`)
  })

  it('A9 sends away who waited too long', async () => {
    const { harness, waiting } = await withLobby()
    await harness.wait('ben')
    await harness.pass(1000)
    await harness.wait('carl')
    await harness.pass(WAIT_MAX_MS - 1000)
    expect([waiting(), harness.told('ben')]).toEqual([['carl'], ['timed_out', null]])
    expect(await harness.wait('ben')).toBe('approval')
  })

  it('A10 lasts as long as one of the account’s connections waits', async () => {
    const { harness, waiting } = await withLobby()
    await harness.wait('ben', null, 1)
    await harness.wait('ben', null, 2)
    await harness.conferences.leaveAllLobbies('ben-1')
    expect(waiting()).toEqual(['ben'])
    harness.events.take()
    await harness.conferences.leaveLobby(TAG, 'ben-2')
    expect(harness.events.take()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
    await harness.conferences.leaveLobby(TAG, 'ben-2')
    expect([waiting(), harness.events.take(), harness.conferences.size.waiting]).toEqual([[], [], 0])
  })

  it('A11 tells who waits when the reason changes, and asks in whoever need not wait any more', async () => {
    const { harness, anna } = await withLobby()
    await anna.act('conference.set_lock', { locked: true })
    expect([await harness.wait('ben'), await harness.wait('carl', 'participant')]).toEqual([
      'approval',
      'locked',
    ])
    harness.entry = 'open'
    await harness.conferences.reevaluateLobby(TAG)
    expect([harness.told('ben'), harness.told('carl')]).toEqual([['waiting', 'locked'], undefined])
    await anna.act('conference.set_lock', { locked: false })
    expect([harness.told('ben'), harness.told('carl')]).toEqual([
      ['admitted', null],
      ['admitted', null],
    ])
  })

  it('A11 asks in who waited at the lock of a session that became empty', async () => {
    const { harness, anna } = await withLobby()
    await anna.act('conference.set_lock', { locked: true })
    await harness.wait('ben', 'participant')
    await anna.leave()
    await harness.pass(GRACE)
    expect(harness.told('ben')).toEqual(['admitted', null])
    await harness.join('ben')
  })

  it('A11 is caught up on when it failed', async () => {
    const { harness, anna } = await withLobby()
    await harness.wait('ben')
    harness.entry = 'open'
    const find = harness.directory.find
    harness.directory.find = () => Promise.reject(new Error('the store is gone'))
    await harness.conferences.reevaluateLobby(TAG)
    expect(harness.told('ben')).toBeUndefined()
    harness.directory.find = find
    await harness.pass(1000)
    expect(harness.told('ben')).toEqual(['admitted', null])
    await anna.leave()
  })

  it.each(['closed', 'cancelled'] as const)(
    'A12 ends when the room is %s, with a session or without',
    async how => {
      const { harness, anna } = await withLobby()
      await harness.wait('ben')
      await harness.conferences.end(TAG, how)
      expect(harness.told('ben')).toEqual([how, null])
      await anna.leave()
      await harness.wait('carl')
      await harness.conferences.end(TAG, how)
      expect(harness.told('carl')).toEqual([how, null])
    },
  )

  it('A12 ends with the session of an ordinary conference that a moderator ended', async () => {
    const harness = await openTestHarness()
    harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    const anna = await harness.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await harness.wait('ben')
    await anna.act('conference.end', {})
    expect(harness.told('ben')).toEqual(['ended', null])
  })

  it('A13 is empty after a crash, and fills again as people ask again', async () => {
    const { harness, anna } = await withLobby()
    await harness.wait('ben')
    await harness.restart()
    const again = await harness.join('anna', 'moderator')
    expect(again.ref.sessionId).toBe(anna.ref.sessionId)
    harness.events.take()
    await harness.wait('ben')
    expect(namesOf(harness.events.take())).toEqual(['lobby.waiting'])
  })

  it('A13 answers who need not wait that they may join', async () => {
    const harness: TestHarness = await openTestHarness()
    expect(await harness.wait('ben')).toBeNull()
    expect(harness.conferences.size.waiting).toBe(0)
  })

  it('A13 ends the wait of an account that comes in another way', async () => {
    const { harness, waiting } = await withLobby()
    await harness.wait('ben')
    await harness.join('ben', 'participant', 2) // with a signed link, on another device
    expect([waiting(), harness.told('ben')]).toEqual([[], ['admitted', null]])
  })
})
