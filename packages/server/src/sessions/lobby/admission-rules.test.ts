import { describe, expect, it } from 'vitest'
import { GRACE, openTestHarness, refuses, TAG } from '../testing/test-harness.ts'
import { type AdmissionContext, decideAdmission } from './admission-rules.ts'

const contextWith = (changes: Partial<AdmissionContext> = {}): AdmissionContext => ({
  conference: { entry: 'open', kind: 'partner' },
  session: undefined,
  isHeldForModerator: false,
  ...changes,
})
const visitor = { userId: 1, isGuest: false, role: 'participant', linkRole: null } as const
const invited = { ...visitor, linkRole: 'participant' } as const
const moderator = { ...visitor, role: 'moderator' } as const

describe('admission', () => {
  it.each([
    ['open', 'enter', 'enter'],
    ['lobby', 'approval', 'enter'],
    ['closed', 'plain_link_closed', 'enter'],
  ] as const)(
    'A2 decides for entry %s: a visitor %s, an invited person %s (LINK-5)',
    (entry, byPlainLink, byLink) => {
      const context = contextWith({ conference: { entry, kind: 'ordinary' } })
      expect(decideAdmission(context, visitor)).toBe(byPlainLink)
      expect(decideAdmission(context, invited)).toBe(byLink)
      expect(decideAdmission(context, moderator)).toBe('enter')
    },
  )

  it('A2 decides every join', async () => {
    const harness = await openTestHarness()
    harness.entry = 'closed'
    await refuses(harness.joinByPlainLink('ben'), 'plain_link_closed')
    await refuses(harness.enterLobby('ben'), 'plain_link_closed')
    harness.entry = 'lobby'
    await refuses(harness.joinByPlainLink('ben'), 'approval')
    expect(await harness.registry.isLive(TAG)).toBe(false)
    await harness.join('ben')
    harness.entry = 'open'
    await harness.joinByPlainLink('carl')
  })

  it('A3 lets only moderators start the next session after one ended the session of a partner’s room, also after a crash', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await anna.execute('conference.end', {})
    harness.jobs.calls.splice(0)
    await refuses(harness.join('ben'), 'not_started')
    await refuses(harness.joinByPlainLink('carl'), 'not_started')
    expect(await harness.enterLobby('ben', 'participant')).toBe('not_started')
    await harness.restart()
    expect(await harness.enterLobby('ben', 'participant')).toBe('not_started')
    await harness.advance(10 * GRACE)
    expect([await harness.registry.isLive(TAG), harness.jobs.calls]).toEqual([false, []])
    const again = await harness.join('anna', 'moderator')
    expect(again.ref.sessionId).toBeGreaterThan(ben.ref.sessionId)
    expect(harness.lastLobbyStatus('ben')).toEqual(['admitted', null])
    expect((await harness.join('ben')).ref.sessionId).toBe(again.ref.sessionId)
  })

  it('A3 applies to partners’ rooms only, and to ends by a moderator only', async () => {
    const harness = await openTestHarness()
    await (await harness.join('ben')).leave()
    await harness.advance(GRACE)
    await harness.join('ben')
    const ordinary = await openTestHarness()
    ordinary.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    await (await ordinary.join('anna', 'moderator')).execute('conference.end', {})
    await ordinary.joinByPlainLink('ben')
  })

  it('A3 makes accounts that waited for approval or at a lock wait for the next session', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await anna.execute('conference.set_lock', { locked: true })
    await harness.enterLobby('ben', 'participant')
    await harness.enterLobby('carl')
    await anna.execute('conference.end', {})
    expect([harness.lastLobbyStatus('ben'), harness.lastLobbyStatus('carl')]).toEqual([
      ['waiting', 'not_started'],
      ['waiting', 'not_started'],
    ])
    const again = await harness.join('anna', 'moderator')
    expect([harness.lastLobbyStatus('ben'), harness.lastLobbyStatus('carl')]).toEqual([
      ['admitted', null],
      ['waiting', 'approval'],
    ])
    expect(harness.registry.state(again.ref.sessionId)?.state.lobby).toMatchObject([
      { display_name: 'carl', reason: 'approval' },
    ])
  })

  it('A4 lets members in without approval until the session ends, admitted accounts included', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await harness.enterLobby('ben')
    await anna.execute('lobby.admit', {})
    await harness.restart() // ben was offline: the admission is stored
    await harness.join('anna', 'moderator')
    await (await harness.joinByPlainLink('ben')).leave()
    await harness.joinByPlainLink('ben', 2)
    await refuses(harness.joinByPlainLink('eve'), 'approval')
    harness.entry = 'closed'
    await refuses(harness.joinByPlainLink('ben', 3), 'plain_link_closed')
  })

  it('A4 lets members of an ordinary conference in although its entry was closed, until the session ends', async () => {
    const harness = await openTestHarness()
    const conference = { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' } as const
    harness.directory.known.set(TAG, conference)
    await harness.join('anna', 'moderator')
    await (await harness.joinByPlainLink('ben')).leave()
    harness.entry = 'closed'
    await harness.joinByPlainLink('ben', 2)
    await refuses(harness.joinByPlainLink('eve'), 'plain_link_closed')
    await harness.conferences.end(TAG, 'ended')
    await refuses(harness.joinByPlainLink('ben'), 'plain_link_closed')
  })

  it('A4 ends the membership with a removal', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await harness.enterLobby('ben')
    await anna.execute('lobby.admit', {})
    const ben = await harness.joinByPlainLink('ben')
    await anna.execute('participant.remove', { participant_id: ben.id })
    await refuses(harness.joinByPlainLink('ben'), 'removed')
    expect(await harness.enterLobby('ben')).toBe('approval')
    await anna.execute('participant.readmit', { user_id: String(ben.userId) })
    await refuses(harness.joinByPlainLink('ben'), 'approval')
  })
})
