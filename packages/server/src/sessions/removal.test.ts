import { describe, expect, it } from 'vitest'
import { GRACE, openTestHarness, refuses, userIdOf } from './testing/test-harness.ts'

const both = async () => {
  const harness = await openTestHarness()
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  return { harness, anna, ben }
}

describe('removal', () => {
  it('R1 takes a person out on all devices and tells why', async () => {
    const { harness, anna, ben } = await both()
    const phone = await harness.join('ben', 'participant', 2)
    await phone.lose()
    harness.events.take()
    await anna.act('participant.remove', { participant_id: ben.id })
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
    expect(await phone.back()).toBe(false)
  })

  it('R2 keeps them out with every device and role, also after a crash', async () => {
    const { harness, anna, ben } = await both()
    await anna.act('participant.remove', { participant_id: ben.id })
    await refuses(harness.join('ben'), 'removed')
    await refuses(harness.join('ben', 'participant', 2), 'removed')
    await refuses(harness.join('ben', 'moderator', 3), 'removed')
    await harness.restart()
    await refuses(harness.join('ben'), 'removed')
  })

  it('R3 holds until the session ends', async () => {
    const { harness, anna, ben } = await both()
    await anna.act('participant.remove', { participant_id: ben.id })
    await anna.leave()
    await harness.pass(GRACE)
    await harness.join('ben')
  })

  it('R4 holds until a moderator lifts it', async () => {
    const { harness, anna, ben } = await both()
    const user_id = String(userIdOf('ben'))
    const carl = await harness.join('carl')
    await anna.act('participant.remove', { participant_id: ben.id })
    harness.events.take()
    await refuses(carl.act('participant.readmit', { user_id }), 'not_moderator')
    await anna.act('participant.readmit', { user_id })
    await anna.act('participant.readmit', { user_id })
    expect(harness.events.take()).toMatchObject([{ name: 'participant.readmitted', body: { user_id } }])
    await harness.restart()
    await harness.join('ben')
  })

  it('R5 is a moderator’s, of others who are not moderators on any device', async () => {
    const { harness, anna, ben } = await both()
    const carl = await harness.join('carl', 'moderator')
    const carlsPhone = await harness.join('carl', 'participant', 2)
    await refuses(ben.act('participant.remove', { participant_id: carl.id }), 'not_moderator')
    await refuses(anna.act('participant.remove', { participant_id: anna.id }), 'not_removable')
    await refuses(anna.act('participant.remove', { participant_id: carlsPhone.id }), 'not_removable')
    await refuses(anna.act('participant.remove', { participant_id: 'nobody' }), 'no_such_participant')
  })

  it('R6 does not open a lock when it is lifted', async () => {
    const { harness, anna, ben } = await both()
    await anna.act('conference.set_lock', { locked: true })
    await anna.act('participant.remove', { participant_id: ben.id })
    await anna.act('participant.readmit', { user_id: String(userIdOf('ben')) })
    await refuses(harness.join('ben'), 'locked')
    await harness.restart()
    await refuses(harness.join('ben'), 'locked')
  })
})
