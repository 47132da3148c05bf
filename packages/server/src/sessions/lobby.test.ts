import { LOBBY_MAX } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { DENIED_FOR_MS, WAIT_MAX_MS, WAITS_OF_CONNECTION_MAX } from './limits.ts'
import { GRACE, type House, namesOf, openHouse, refuses, TAG, userIdOf } from './testing/house.ts'

const withLobby = async () => {
  const house = await openHouse()
  house.entry = 'lobby'
  const anna = await house.join('anna', 'moderator')
  house.events.take()
  const waiting = () =>
    house.conferences.state(anna.place.sessionId)?.state.lobby.map(({ display_name }) => display_name)
  return { house, anna, waiting }
}
const idOf = (name: string) => String(userIdOf(name))

describe('lobby', () => {
  it('A5 shows moderators who waits, in the order of coming', async () => {
    const { house, waiting } = await withLobby()
    await house.wait('ben')
    house.now += 1000
    await house.wait('carl')
    expect(house.events.take()).toMatchObject([
      { name: 'lobby.waiting', body: { person: { user_id: idOf('ben'), reason: 'approval' } } },
      { name: 'lobby.waiting', body: { person: { display_name: 'carl', waiting_since_ms: house.now } } },
    ])
    await house.wait('ben') // again, as after a reload
    expect(waiting()).toEqual(['ben', 'carl'])
    expect(house.events.take()).toEqual([])
  })

  it('A5 makes nobody a participant who waits, and opens no session', async () => {
    const house = await openHouse()
    house.entry = 'lobby'
    expect(await house.wait('ben')).toBe('approval')
    await house.pass(10 * GRACE)
    expect([await house.conferences.isLive(TAG), house.jobs.heard, house.events.take()]).toEqual([
      false,
      [],
      [],
    ])
    const anna = await house.join('anna', 'moderator')
    expect(house.conferences.state(anna.place.sessionId)?.state).toMatchObject({
      participants: [{ display_name: 'anna' }],
      lobby: [{ display_name: 'ben' }],
    })
  })

  it('A6 admits one, or everybody, at the word of a moderator', async () => {
    const { house, anna, waiting } = await withLobby()
    for (const name of ['ben', 'carl', 'dora']) await house.wait(name)
    const eve = await house.join('eve')
    await refuses(eve.act('lobby.admit', {}), 'not_moderator')
    await refuses(eve.act('lobby.deny', {}), 'not_moderator')
    house.events.take()
    await anna.act('lobby.admit', { user_id: idOf('carl') })
    expect(house.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('carl'), reason: 'admitted' } },
    ])
    expect([waiting(), house.told('carl')]).toEqual([
      ['ben', 'dora'],
      ['admitted', null],
    ])
    await house.walkIn('carl')
    await anna.act('lobby.admit', {})
    await anna.act('lobby.admit', { user_id: idOf('ben') }) // another moderator was faster
    expect(waiting()).toEqual([])
    for (const name of ['ben', 'dora']) await house.walkIn(name)
  })

  it('A7 denies, and hears no more of the account for a while', async () => {
    const { house, anna, waiting } = await withLobby()
    await house.wait('ben')
    await house.wait('carl')
    house.events.take()
    await anna.act('lobby.deny', { user_id: idOf('ben') })
    expect(house.events.take()).toMatchObject([
      { name: 'lobby.left', body: { user_id: idOf('ben'), reason: 'denied' } },
    ])
    expect([waiting(), house.told('ben')]).toEqual([['carl'], ['denied', null]])
    await refuses(house.wait('ben'), 'denied')
    await refuses(house.wait('ben', null, 2), 'denied')
    await refuses(house.walkIn('ben'), 'approval')
    await house.pass(DENIED_FOR_MS - 1)
    await refuses(house.wait('ben'), 'denied')
    await house.pass(1)
    expect(await house.wait('ben')).toBe('approval')
    await anna.act('lobby.deny', {})
    expect([waiting(), house.told('carl')]).toEqual([[], ['denied', null]])
  })

  it('A8 is full at its limit, and refuses clearly', async () => {
    const { house, anna } = await withLobby()
    for (let i = 0; i < LOBBY_MAX; i++) await house.wait(`guest ${i}`)
    await refuses(house.wait('ben'), 'lobby_full')
    await house.wait('guest 7')
    await anna.act('lobby.deny', { user_id: idOf('guest 7') })
    expect(await house.wait('ben')).toBe('approval')
  })

  it('A8 has one connection wait for few conferences', async () => {
    const house = await openHouse()
    for (let i = 0; i <= WAITS_OF_CONNECTION_MAX; i++)
      house.directory.known.set(`t${i}`, {
        tag: `t${i}`,
        title: '',
        kind: 'ordinary',
        ownerId: 1,
        entry: 'lobby',
      })
    for (let i = 0; i < WAITS_OF_CONNECTION_MAX; i++) await house.wait('ben', null, 1, `t${i}`)
    await refuses(house.wait('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`), 'too_many_waits')
    await house.wait('ben', null, 1, 't0')
    await house.conferences.leaveLobby('t0', 'ben-1')
    await house.wait('ben', null, 1, `t${WAITS_OF_CONNECTION_MAX}`)
  })

  it('A9 sends away who waited too long', async () => {
    const { house, waiting } = await withLobby()
    await house.wait('ben')
    await house.pass(1000)
    await house.wait('carl')
    await house.pass(WAIT_MAX_MS - 1000)
    expect([waiting(), house.told('ben')]).toEqual([['carl'], ['timed_out', null]])
    expect(await house.wait('ben')).toBe('approval')
  })

  it('A10 lasts as long as one of the account’s connections waits', async () => {
    const { house, waiting } = await withLobby()
    await house.wait('ben', null, 1)
    await house.wait('ben', null, 2)
    await house.conferences.connectionOver('ben-1')
    expect(waiting()).toEqual(['ben'])
    house.events.take()
    await house.conferences.leaveLobby(TAG, 'ben-2')
    expect(house.events.take()).toMatchObject([{ name: 'lobby.left', body: { reason: 'left' } }])
    await house.conferences.leaveLobby(TAG, 'ben-2')
    expect([waiting(), house.events.take(), house.conferences.size.waiting]).toEqual([[], [], 0])
  })

  it('A11 tells who waits when the reason changes, and asks in whoever need not wait any more', async () => {
    const { house, anna } = await withLobby()
    await anna.act('conference.set_lock', { locked: true })
    expect([await house.wait('ben'), await house.wait('carl', 'participant')]).toEqual(['approval', 'locked'])
    house.entry = 'open'
    await house.conferences.reconsider(TAG)
    expect([house.told('ben'), house.told('carl')]).toEqual([['waiting', 'locked'], undefined])
    await anna.act('conference.set_lock', { locked: false })
    expect([house.told('ben'), house.told('carl')]).toEqual([
      ['admitted', null],
      ['admitted', null],
    ])
  })

  it('A11 asks in who waited at the lock of a session that became empty', async () => {
    const { house, anna } = await withLobby()
    await anna.act('conference.set_lock', { locked: true })
    await house.wait('ben', 'participant')
    await anna.leave()
    await house.pass(GRACE)
    expect(house.told('ben')).toEqual(['admitted', null])
    await house.join('ben')
  })

  it('A11 is caught up on when it failed', async () => {
    const { house, anna } = await withLobby()
    await house.wait('ben')
    house.entry = 'open'
    const find = house.directory.find
    house.directory.find = () => Promise.reject(new Error('the store is gone'))
    await house.conferences.reconsider(TAG)
    expect(house.told('ben')).toBeUndefined()
    house.directory.find = find
    await house.pass(1000)
    expect(house.told('ben')).toEqual(['admitted', null])
    await anna.leave()
  })

  it.each(['closed', 'cancelled'] as const)(
    'A12 ends when the room is %s, with a session or without',
    async how => {
      const { house, anna } = await withLobby()
      await house.wait('ben')
      await house.conferences.end(TAG, how)
      expect(house.told('ben')).toEqual([how, null])
      await anna.leave()
      await house.wait('carl')
      await house.conferences.end(TAG, how)
      expect(house.told('carl')).toEqual([how, null])
    },
  )

  it('A12 ends with the session of an ordinary conference that a moderator ended', async () => {
    const house = await openHouse()
    house.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    const anna = await house.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await house.wait('ben')
    await anna.act('conference.end', {})
    expect(house.told('ben')).toEqual(['ended', null])
  })

  it('A13 is empty after a crash, and fills again as people ask again', async () => {
    const { house, anna } = await withLobby()
    await house.wait('ben')
    await house.restart()
    const again = await house.join('anna', 'moderator')
    expect(again.place.sessionId).toBe(anna.place.sessionId)
    house.events.take()
    await house.wait('ben')
    expect(namesOf(house.events.take())).toEqual(['lobby.waiting'])
  })

  it('A13 answers who need not wait that they may join', async () => {
    const house: House = await openHouse()
    expect(await house.wait('ben')).toBeNull()
    expect(house.conferences.size.waiting).toBe(0)
  })

  it('A13 ends the wait of an account that comes in another way', async () => {
    const { house, waiting } = await withLobby()
    await house.wait('ben')
    await house.join('ben', 'participant', 2) // with a signed link, on another device
    expect([waiting(), house.told('ben')]).toEqual([[], ['admitted', null]])
  })
})
