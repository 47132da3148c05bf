import { describe, expect, it } from 'vitest'
import { type AdmissionContext, decideAdmission } from './admission.ts'
import { GRACE, openTestHarness, refuses, TAG } from './testing/test-harness.ts'

const contextWith = (changes: Partial<AdmissionContext> = {}): AdmissionContext => ({
  conference: { entry: 'open' },
  session: undefined,
  isHeldForModerator: false,
  ...changes,
})
const visitor = { userId: 1, role: 'participant', linkRole: null } as const
const invited = { ...visitor, linkRole: 'participant' } as const
const moderator = { ...visitor, role: 'moderator' } as const

describe('admission', () => {
  it.each([
    ['open', 'enter', 'enter'],
    ['lobby', 'approval', 'enter'],
    ['closed', 'plain_link_closed', 'enter'],
  ] as const)(
    'A2 where the entry is %s, a visitor: %s, an invited person: %s',
    (entry, byPlainLink, byLink) => {
      const context = contextWith({ conference: { entry } })
      expect(decideAdmission(context, visitor)).toBe(byPlainLink)
      expect(decideAdmission(context, invited)).toBe(byLink)
      expect(decideAdmission(context, moderator)).toBe('enter')
    },
  )

  it('A2 decides every join', async () => {
    const harness = await openTestHarness()
    harness.entry = 'closed'
    await refuses(harness.walkIn('ben'), 'plain_link_closed')
    await refuses(harness.wait('ben'), 'plain_link_closed')
    harness.entry = 'lobby'
    await refuses(harness.walkIn('ben'), 'approval')
    expect(await harness.registry.isLive(TAG)).toBe(false)
    await harness.join('ben')
    harness.entry = 'open'
    await harness.walkIn('carl')
  })

  it('A3 lets nobody but moderators begin the next session after one ended a partner’s, also after a crash', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    const ben = await harness.join('ben')
    await anna.act('conference.end', {})
    harness.jobs.heard.splice(0)
    await refuses(harness.join('ben'), 'not_started')
    await refuses(harness.walkIn('carl'), 'not_started')
    expect(await harness.wait('ben', 'participant')).toBe('not_started')
    await harness.restart()
    expect(await harness.wait('ben', 'participant')).toBe('not_started')
    await harness.pass(10 * GRACE)
    expect([await harness.registry.isLive(TAG), harness.jobs.heard]).toEqual([false, []])
    const again = await harness.join('anna', 'moderator')
    expect(again.ref.sessionId).toBeGreaterThan(ben.ref.sessionId)
    expect(harness.told('ben')).toEqual(['admitted', null])
    expect((await harness.join('ben')).ref.sessionId).toBe(again.ref.sessionId)
  })

  it('A3 holds for partners’ rooms, and for an end by a moderator', async () => {
    const harness = await openTestHarness()
    await (await harness.join('ben')).leave()
    await harness.pass(GRACE)
    await harness.join('ben')
    const ordinary = await openTestHarness()
    ordinary.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
    await (await ordinary.join('anna', 'moderator')).act('conference.end', {})
    await ordinary.walkIn('ben')
  })

  it('A3 sends those who waited for approval or at a lock to wait for the next session', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await harness.wait('ben', 'participant')
    await harness.wait('carl')
    await anna.act('conference.end', {})
    expect([harness.told('ben'), harness.told('carl')]).toEqual([
      ['waiting', 'not_started'],
      ['waiting', 'not_started'],
    ])
    const again = await harness.join('anna', 'moderator')
    expect([harness.told('ben'), harness.told('carl')]).toEqual([
      ['admitted', null],
      ['waiting', 'approval'],
    ])
    expect(harness.registry.state(again.ref.sessionId)?.state.lobby).toMatchObject([
      { display_name: 'carl', reason: 'approval' },
    ])
  })

  it('A4 lets a member in without asking, whom a moderator admitted too, until the session ends', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await harness.wait('ben')
    await anna.act('lobby.admit', {})
    await harness.restart() // ben was offline: the admission is stored
    await harness.join('anna', 'moderator')
    await (await harness.walkIn('ben')).leave()
    await harness.walkIn('ben', 2)
    await refuses(harness.walkIn('eve'), 'approval')
  })

  it('A4 ends with a removal', async () => {
    const harness = await openTestHarness()
    harness.entry = 'lobby'
    const anna = await harness.join('anna', 'moderator')
    await harness.wait('ben')
    await anna.act('lobby.admit', {})
    const ben = await harness.walkIn('ben')
    await anna.act('participant.remove', { participant_id: ben.id })
    await refuses(harness.wait('ben'), 'removed')
    await anna.act('participant.readmit', { user_id: String(ben.userId) })
    await refuses(harness.walkIn('ben'), 'approval')
  })
})
