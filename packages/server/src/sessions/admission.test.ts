import { describe, expect, it } from 'vitest'
import { admissionOf, type Circumstances, roleOf } from './admission.ts'
import { GRACE, openHouse, refuses, TAG } from './testing/house.ts'

const circumstances = (parts: Partial<Circumstances> = {}): Circumstances => ({
  conference: { entry: 'open' },
  session: undefined,
  isHeld: false,
  ...parts,
})
const visitor = { userId: 1, role: 'participant', linkRole: null } as const
const invited = { ...visitor, linkRole: 'participant' } as const
const moderator = { ...visitor, role: 'moderator' } as const

describe('admission', () => {
  it('A1 gives the role of the link, and never less than the account has', () => {
    expect([roleOf('participant', null), roleOf('participant', 'moderator')]).toEqual([
      'participant',
      'moderator',
    ])
    expect([roleOf('moderator', null), roleOf('moderator', 'participant')]).toEqual([
      'moderator',
      'moderator',
    ])
  })

  it.each([
    ['open', 'enter', 'enter'],
    ['lobby', 'approval', 'enter'],
    ['closed', 'plain_link_closed', 'enter'],
  ] as const)(
    'A2 where the entry is %s, a visitor: %s, an invited person: %s',
    (entry, byPlainLink, byLink) => {
      const here = circumstances({ conference: { entry } })
      expect(admissionOf(here, visitor)).toBe(byPlainLink)
      expect(admissionOf(here, invited)).toBe(byLink)
      expect(admissionOf(here, moderator)).toBe('enter')
    },
  )

  it('A2 decides every join', async () => {
    const house = await openHouse()
    house.entry = 'closed'
    await refuses(house.walkIn('ben'), 'plain_link_closed')
    await refuses(house.wait('ben'), 'plain_link_closed')
    house.entry = 'lobby'
    await refuses(house.walkIn('ben'), 'approval')
    expect(await house.conferences.isLive(TAG)).toBe(false)
    await house.join('ben')
    house.entry = 'open'
    await house.walkIn('carl')
  })

  it('A3 lets nobody but moderators begin the next session after one ended a partner’s, also after a crash', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await anna.act('conference.end', {})
    house.jobs.heard.splice(0)
    await refuses(house.join('ben'), 'not_started')
    await refuses(house.walkIn('carl'), 'not_started')
    expect(await house.wait('ben', 'participant')).toBe('not_started')
    await house.restart()
    expect(await house.wait('ben', 'participant')).toBe('not_started')
    await house.pass(10 * GRACE)
    expect([await house.conferences.isLive(TAG), house.jobs.heard]).toEqual([false, []])
    const again = await house.join('anna', 'moderator')
    expect(again.place.sessionId).toBeGreaterThan(ben.place.sessionId)
    expect(house.told('ben')).toEqual(['admitted', null])
    expect((await house.join('ben')).place.sessionId).toBe(again.place.sessionId)
  })

  it('A3 holds for partners’ rooms, and for an end by a moderator', async () => {
    const house = await openHouse()
    await (await house.join('ben')).leave()
    await house.pass(GRACE)
    await house.join('ben')
    const ordinary = await openHouse()
    ordinary.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    await (await ordinary.join('anna', 'moderator')).act('conference.end', {})
    await ordinary.walkIn('ben')
  })

  it('A3 sends those who waited for approval or at a lock to wait for the next session', async () => {
    const house = await openHouse()
    house.entry = 'lobby'
    const anna = await house.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await house.wait('ben', 'participant')
    await house.wait('carl')
    await anna.act('conference.end', {})
    expect([house.told('ben'), house.told('carl')]).toEqual([
      ['waiting', 'not_started'],
      ['waiting', 'not_started'],
    ])
    const again = await house.join('anna', 'moderator')
    expect([house.told('ben'), house.told('carl')]).toEqual([
      ['admitted', null],
      ['waiting', 'approval'],
    ])
    expect(house.conferences.state(again.place.sessionId)?.state.lobby).toMatchObject([
      { display_name: 'carl', reason: 'approval' },
    ])
  })

  it('A4 lets a member in without asking, whom a moderator admitted too, until the session ends', async () => {
    const house = await openHouse()
    house.entry = 'lobby'
    const anna = await house.join('anna', 'moderator')
    await house.wait('ben')
    await anna.act('lobby.admit', {})
    await house.restart() // ben was offline: the admission is stored
    await house.join('anna', 'moderator')
    await (await house.walkIn('ben')).leave()
    await house.walkIn('ben', 2)
    await refuses(house.walkIn('eve'), 'approval')
  })

  it('A4 ends with a removal', async () => {
    const house = await openHouse()
    house.entry = 'lobby'
    const anna = await house.join('anna', 'moderator')
    await house.wait('ben')
    await anna.act('lobby.admit', {})
    const ben = await house.walkIn('ben')
    await anna.act('participant.remove', { participant_id: ben.id })
    await refuses(house.wait('ben'), 'removed')
    await anna.act('participant.readmit', { user_id: String(ben.userId) })
    await refuses(house.walkIn('ben'), 'approval')
  })
})
