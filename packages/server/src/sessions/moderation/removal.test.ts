import { describe, expect, it } from 'vitest'
import { REMOVED_MAX } from '../limits.ts'
import { GRACE, openTestHarness, refuses, userIdOf } from '../testing/test-harness.ts'

const both = async () => {
  const harness = await openTestHarness()
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  return { harness, anna, ben }
}

describe('removal', () => {
  it('R1 removes a person on all devices and publishes the reason', async () => {
    const { harness, anna, ben } = await both()
    const phone = await harness.join('ben', 'participant', 2)
    await phone.disconnect()
    harness.events.take()
    await anna.execute('participant.remove', { participant_id: ben.id })
    const person = { user_id: String(userIdOf('ben')), display_name: 'ben' }
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.removed', body: { person, by_participant_id: anna.id } },
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'removed' } },
      { name: 'participant.left', body: { participant_id: phone.id, reason: 'removed' } },
    ])
    expect(harness.events.detached).toEqual([ben.id, phone.id])
    expect(harness.registry.state(anna.ref.sessionId)?.state).toMatchObject({
      participants: [{ participant_id: anna.id }],
      removed: [person],
    })
    expect(await phone.reconnect()).toBe(false)
  })

  it('R2 refuses a removed person on every device and in every role, also after a crash', async () => {
    const { harness, anna, ben } = await both()
    await anna.execute('participant.remove', { participant_id: ben.id })
    await refuses(harness.join('ben'), 'removed')
    await refuses(harness.join('ben', 'participant', 2), 'removed')
    await refuses(harness.join('ben', 'moderator', 3), 'removed')
    await harness.restart()
    await refuses(harness.join('ben'), 'removed')
  })

  it.each([['lobby.admit'], ['participant.readmit']] as const)(
    'R2 lets a removed person ask, who waits for approval until a moderator lets them in: %s',
    async command => {
      const { harness, anna, ben } = await both()
      const user_id = String(userIdOf('ben'))
      await anna.execute('participant.remove', { participant_id: ben.id })
      expect(await harness.enterLobby('ben')).toBe('approval')
      await refuses(harness.join('ben'), 'removed')
      harness.events.take()
      await anna.execute(command, { user_id })
      expect(harness.events.take()).toContainEqual(
        expect.objectContaining({
          name: 'participant.readmitted',
          body: { user_id, by_participant_id: anna.id },
        }),
      )
      await expect.poll(() => harness.lastLobbyStatus('ben')).toEqual(['admitted', null])
      await harness.restart()
      await harness.join('ben')
    },
  )

  it('R3 lasts until the session ends', async () => {
    const { harness, anna, ben } = await both()
    await anna.execute('participant.remove', { participant_id: ben.id })
    await anna.leave()
    await harness.advance(GRACE)
    await harness.join('ben')
  })

  it('R4 lasts until a moderator readmits the person', async () => {
    const { harness, anna, ben } = await both()
    const user_id = String(userIdOf('ben'))
    const carl = await harness.join('carl')
    await anna.execute('participant.remove', { participant_id: ben.id })
    harness.events.take()
    await refuses(carl.execute('participant.readmit', { user_id }), 'not_moderator')
    await anna.execute('participant.readmit', { user_id })
    await anna.execute('participant.readmit', { user_id })
    expect(harness.events.take()).toMatchObject([{ name: 'participant.readmitted', body: { user_id } }])
    await harness.restart()
    await harness.join('ben')
  })

  it('R5 is for moderators, and never removes an account that moderates on any device', async () => {
    const { harness, anna, ben } = await both()
    const carl = await harness.join('carl', 'moderator')
    const carlsPhone = await harness.join('carl', 'participant', 2)
    await refuses(ben.execute('participant.remove', { participant_id: carl.id }), 'not_moderator')
    await refuses(anna.execute('participant.remove', { participant_id: anna.id }), 'not_removable')
    await refuses(anna.execute('participant.remove', { participant_id: carlsPhone.id }), 'not_removable')
    await refuses(anna.execute('participant.remove', { participant_id: 'nobody' }), 'no_such_participant')
  })

  it('R1 keeps a limited list of removed people', async () => {
    const { harness, anna, ben } = await both()
    const { removed } = harness.registry.get(anna.ref.sessionId) ?? {}
    for (let i = 0; i < REMOVED_MAX; i++)
      removed?.set(100_000 + i, { userId: 100_000 + i, displayName: `u${i}` })
    const remove = () => anna.execute('participant.remove', { participant_id: ben.id })
    await refuses(remove(), 'removed_list_full')
    await anna.execute('participant.readmit', { user_id: '100000' })
    await remove()
  })

  it('R7 lets guests wait who may be the removed person, until a moderator admits or readmits somebody', async () => {
    const { harness, anna, ben } = await both()
    const old = await harness.joinAsGuest('guest-1')
    await old.leave()
    for (const link of ['participant', null] as const) {
      await anna.execute('participant.remove', { participant_id: ben.id })
      await harness.restart()
      const moderator = await harness.join('anna', 'moderator', 2)
      const name = `guest-2 ${link}`
      await refuses(harness.joinAsGuest(name, link), 'approval')
      expect(await harness.enterLobbyAsGuest(name, link)).toBe('approval')
      expect(await harness.enterLobbyAsGuest('guest-3', link)).toBe('approval')
      // Members, moderators, and who is somebody else as their accounts prove.
      await harness.joinAsGuest('guest-1', link)
      await harness.joinAsGuest('teacher', 'moderator')
      await harness.join(`carl ${link}`)
      await moderator.execute('lobby.admit', { user_id: String(userIdOf(name)) })
      await harness.joinAsGuest(name, link)
      await moderator.execute('participant.readmit', { user_id: String(userIdOf('ben')) })
      expect(harness.lastLobbyStatus('guest-3')).toEqual(['admitted', null])
      const back = await harness.join('ben')
      Object.assign(ben, { ref: back.ref })
      Object.assign(anna, { ref: moderator.ref })
    }
  })

  it('R6 does not let a readmitted person through a lock', async () => {
    const { harness, anna, ben } = await both()
    await anna.execute('conference.set_lock', { locked: true })
    await anna.execute('participant.remove', { participant_id: ben.id })
    await anna.execute('participant.readmit', { user_id: String(userIdOf('ben')) })
    await refuses(harness.join('ben'), 'locked')
    await harness.restart()
    await refuses(harness.join('ben'), 'locked')
  })
})
