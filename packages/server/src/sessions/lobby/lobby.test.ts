import { LOBBY_MAX } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { DENIED_FOR_MS, WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from '../limits.ts'
import {
  GRACE,
  namesOf,
  openTestHarness,
  refuses,
  TAG,
  type TestHarness,
  userIdOf,
} from '../testing/test-harness.ts'

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
  it('A5 shows moderators the waiting accounts in the order of arrival', async () => {
    const { harness, waiting } = await withLobby()
    await harness.enterLobby('ben')
    harness.now += 1000
    await harness.enterLobby('carl')
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.waiting', body: { person: { user_id: idOf('ben'), reason: 'approval' } } },
      { name: 'lobby.waiting', body: { person: { display_name: 'carl', waiting_since_ms: harness.now } } },
    ])
    await harness.enterLobby('ben') // again, as after a reload
    expect(waiting()).toEqual(['ben', 'carl'])
    expect(harness.events.take()).toEqual([])
  })

  it('A5 makes no participant of a waiting account, and opens no session', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    expect(await harness.enterLobby('ben')).toBe('approval')
    await harness.advance(10 * GRACE)
    expect([await harness.registry.isLive(TAG), harness.jobs.calls, harness.events.take()]).toEqual([
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

  it('A6 admits one account or all of them at the request of a moderator', async () => {
    const { harness, anna, waiting } = await withLobby()
    for (const name of ['ben', 'carl', 'dora']) await harness.enterLobby(name)
    const eve = await harness.join('eve')
    await refuses(eve.execute('lobby.admit', {}), 'not_moderator')
    await refuses(eve.execute('lobby.deny', {}), 'not_moderator')
    harness.events.take()
    await anna.execute('lobby.admit', { user_id: idOf('carl') })
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('carl'), reason: 'admitted' } },
    ])
    expect([waiting(), harness.lastLobbyStatus('carl')]).toEqual([
      ['ben', 'dora'],
      ['admitted', null],
    ])
    await harness.joinByPlainLink('carl')
    await anna.execute('lobby.admit', {})
    await anna.execute('lobby.admit', { user_id: idOf('ben') }) // another moderator was faster
    expect(waiting()).toEqual([])
    for (const name of ['ben', 'dora']) await harness.joinByPlainLink(name)
  })

  it('A7 refuses a denied account for a while', async () => {
    const { harness, anna, waiting } = await withLobby()
    await harness.enterLobby('ben')
    await harness.enterLobby('carl')
    harness.events.take()
    await anna.execute('lobby.deny', { user_id: idOf('ben') })
    expect(harness.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('ben'), reason: 'denied' } },
    ])
    expect([waiting(), harness.lastLobbyStatus('ben')]).toEqual([['carl'], ['denied', null]])
    await refuses(harness.enterLobby('ben'), 'denied')
    await refuses(harness.enterLobby('ben', null, 2), 'denied')
    await refuses(harness.joinByPlainLink('ben'), 'approval')
    await harness.advance(DENIED_FOR_MS - 1)
    await refuses(harness.enterLobby('ben'), 'denied')
    await harness.advance(1)
    expect(await harness.enterLobby('ben')).toBe('approval')
    await anna.execute('lobby.deny', {})
    expect([waiting(), harness.lastLobbyStatus('carl')]).toEqual([[], ['denied', null]])
  })

  it('A7 refuses a denied account also when nobody has to wait any more, but no moderator', async () => {
    const { harness, anna } = await withLobby()
    for (const name of ['ben', 'carl']) await harness.enterLobby(name)
    await anna.execute('lobby.deny', {})
    harness.entry = 'open'
    await harness.conferences.reevaluateLobby(TAG)
    for (const name of ['ben', 'carl']) {
      await refuses(harness.joinByPlainLink(name), 'denied')
      await refuses(harness.enterLobby(name), 'denied')
    }
    await harness.joinByPlainLink('dora')
    await (await harness.join('ben', 'moderator')).leave()
    await harness.joinByPlainLink('ben') // a member now
    await harness.advance(DENIED_FOR_MS)
    await harness.joinByPlainLink('carl')
  })

  it('A8 refuses further accounts at its limit', async () => {
    const { harness, anna } = await withLobby()
    for (let i = 0; i < LOBBY_MAX; i++) await harness.enterLobby(`guest ${i}`)
    await refuses(harness.enterLobby('ben'), 'lobby_full')
    await harness.enterLobby('guest 7')
    await anna.execute('lobby.deny', { user_id: idOf('guest 7') })
    expect(await harness.enterLobby('ben')).toBe('approval')
  })

  it('A8 limits the conferences for which one connection waits', async () => {
    const harness = await openTestHarness()
    for (let i = 0; i <= WAITS_OF_CONNECTION_MAX; i++)
      harness.directory.known.set(`t${i}`, {
        tag: `t${i}`,
        title: '',
        kind: 'ordinary',
        ownerId: 1,
        entry: 'lobby',
      })
    for (let i = 0; i < WAITS_OF_CONNECTION_MAX; i++) await harness.enterLobby('ben', null, 1, `t${i}`)
    await refuses(harness.enterLobby('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`), 'too_many_waits')
    await harness.enterLobby('ben', null, 1, 't0')
    await harness.participants.leaveLobby('t0', 'ben-1')
    await harness.enterLobby('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`)
  })

  it('A9 ends a wait that lasts too long', async () => {
    const { harness, waiting } = await withLobby()
    await harness.enterLobby('ben')
    await harness.advance(1000)
    await harness.enterLobby('carl')
    await harness.advance(WAIT_MAX_MS - 1000)
    expect([waiting(), harness.lastLobbyStatus('ben')]).toEqual([['carl'], ['timed_out', null]])
    expect(await harness.enterLobby('ben')).toBe('approval')
  })

  it('A10 keeps the wait while one connection of the account waits', async () => {
    const { harness, waiting } = await withLobby()
    await harness.enterLobby('ben', null, 1)
    await harness.enterLobby('ben', null, 2)
    await harness.participants.leaveLobbies('ben-1')
    expect(waiting()).toEqual(['ben'])
    harness.events.take()
    await harness.participants.leaveLobby(TAG, 'ben-2')
    expect(harness.events.take()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
    await harness.participants.leaveLobby(TAG, 'ben-2')
    expect([waiting(), harness.events.take(), harness.conferences.size.waiting]).toEqual([[], [], 0])
  })

  it('A11 notifies waiting accounts of a new reason, and admits those that no longer have to wait', async () => {
    const { harness, anna } = await withLobby()
    await anna.execute('conference.set_lock', { locked: true })
    expect([await harness.enterLobby('ben'), await harness.enterLobby('carl', 'participant')]).toEqual([
      'approval',
      'locked',
    ])
    harness.entry = 'open'
    await harness.conferences.reevaluateLobby(TAG)
    expect([harness.lastLobbyStatus('ben'), harness.lastLobbyStatus('carl')]).toEqual([
      ['waiting', 'locked'],
      undefined,
    ])
    await anna.execute('conference.set_lock', { locked: false })
    expect([harness.lastLobbyStatus('ben'), harness.lastLobbyStatus('carl')]).toEqual([
      ['admitted', null],
      ['admitted', null],
    ])
  })

  it('A11 admits accounts that waited at the lock of a session that ended empty', async () => {
    const { harness, anna } = await withLobby()
    await anna.execute('conference.set_lock', { locked: true })
    await harness.enterLobby('ben', 'participant')
    await anna.leave()
    await harness.advance(GRACE)
    expect(harness.lastLobbyStatus('ben')).toEqual(['admitted', null])
    await harness.join('ben')
  })

  it('A11 is reported and retried after a failure', async () => {
    const { harness, anna } = await withLobby()
    await harness.enterLobby('ben')
    harness.entry = 'open'
    const find = harness.directory.find
    harness.directory.find = () => Promise.reject(new Error('the store is gone'))
    await harness.conferences.reevaluateLobby(TAG)
    expect(harness.lastLobbyStatus('ben')).toBeUndefined()
    expect(harness.failures).toEqual(['people who wait could not be considered yet'])
    harness.directory.find = find
    await harness.advance(1000)
    expect(harness.lastLobbyStatus('ben')).toEqual(['admitted', null])
    await anna.leave()
  })

  it.each(['closed', 'cancelled'] as const)(
    'A12 ends when the room is %s, with a session or without',
    async how => {
      const { harness, anna } = await withLobby()
      await harness.enterLobby('ben')
      await harness.conferences.end(TAG, how)
      expect(harness.lastLobbyStatus('ben')).toEqual([how, null])
      await anna.leave()
      await harness.enterLobby('carl')
      await harness.conferences.end(TAG, how)
      expect(harness.lastLobbyStatus('carl')).toEqual([how, null])
    },
  )

  it('A12 ends with the session of an ordinary conference that a moderator ended', async () => {
    const harness = await openTestHarness()
    harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    const anna = await harness.join('anna', 'moderator')
    await anna.execute('conference.set_lock', { locked: true })
    await harness.enterLobby('ben')
    await anna.execute('conference.end', {})
    expect(harness.lastLobbyStatus('ben')).toEqual(['ended', null])
  })

  it('A13 is empty after a crash, and fills again when clients repeat their requests', async () => {
    const { harness, anna } = await withLobby()
    await harness.enterLobby('ben')
    await harness.restart()
    const again = await harness.join('anna', 'moderator')
    expect(again.ref.sessionId).toBe(anna.ref.sessionId)
    harness.events.take()
    await harness.enterLobby('ben')
    expect(namesOf(harness.events.take())).toEqual(['lobby.waiting'])
  })

  it('A13 notifies an account that need not wait, so that it joins', async () => {
    const harness: TestHarness = await openTestHarness()
    expect(await harness.enterLobby('ben')).toBeNull()
    expect(harness.conferences.size.waiting).toBe(0)
  })

  it('A13 ends the wait of an account that joins on another connection', async () => {
    const { harness, waiting } = await withLobby()
    await harness.enterLobby('ben')
    await harness.join('ben', 'participant', 2) // with a signed link, on another device
    expect([waiting(), harness.lastLobbyStatus('ben')]).toEqual([[], ['admitted', null]])
  })
})
