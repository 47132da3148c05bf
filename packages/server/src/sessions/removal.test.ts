import { describe, expect, it } from 'vitest'
import { GRACE, openHouse, refuses, userIdOf } from './testing/house.ts'

const both = async () => {
  const house = await openHouse()
  const anna = await house.join('anna', 'moderator')
  const ben = await house.join('ben')
  return { house, anna, ben }
}

describe('removal', () => {
  it('R1 takes a person out on all devices and tells why', async () => {
    const { house, anna, ben } = await both()
    const phone = await house.join('ben', 'participant', 2)
    await phone.lose()
    house.events.take()
    await anna.act('participant.remove', { participant_id: ben.id })
    const person = { user_id: String(userIdOf('ben')), display_name: 'ben' }
    expect(house.events.take()).toMatchObject([
      { name: 'participant.removed', body: { person, by_participant_id: anna.id } },
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'removed' } },
      { name: 'participant.left', body: { participant_id: phone.id, reason: 'removed' } },
    ])
    expect(house.events.detached).toEqual([ben.id, phone.id])
    expect(house.conferences.state(anna.place.sessionId)?.state).toMatchObject({
      participants: [{ participant_id: anna.id }],
      removed: [person],
    })
    expect(await phone.back()).toBe(false)
  })

  it('R2 keeps them out with every device and role, also after a crash', async () => {
    const { house, anna, ben } = await both()
    await anna.act('participant.remove', { participant_id: ben.id })
    await refuses(house.join('ben'), 'removed')
    await refuses(house.join('ben', 'participant', 2), 'removed')
    await refuses(house.join('ben', 'moderator', 3), 'removed')
    await house.restart()
    await refuses(house.join('ben'), 'removed')
  })

  it('R3 holds until the session ends', async () => {
    const { house, anna, ben } = await both()
    await anna.act('participant.remove', { participant_id: ben.id })
    await anna.leave()
    await house.pass(GRACE)
    await house.join('ben')
  })

  it('R4 holds until a moderator lifts it', async () => {
    const { house, anna, ben } = await both()
    const user_id = String(userIdOf('ben'))
    const carl = await house.join('carl')
    await anna.act('participant.remove', { participant_id: ben.id })
    house.events.take()
    await refuses(carl.act('participant.readmit', { user_id }), 'not_moderator')
    await anna.act('participant.readmit', { user_id })
    await anna.act('participant.readmit', { user_id })
    expect(house.events.take()).toMatchObject([{ name: 'participant.readmitted', body: { user_id } }])
    await house.restart()
    await house.join('ben')
  })

  it('R5 is a moderator’s, of others who are not moderators on any device', async () => {
    const { house, anna, ben } = await both()
    const carl = await house.join('carl', 'moderator')
    const carlsPhone = await house.join('carl', 'participant', 2)
    await refuses(ben.act('participant.remove', { participant_id: carl.id }), 'not_moderator')
    await refuses(anna.act('participant.remove', { participant_id: anna.id }), 'not_removable')
    await refuses(anna.act('participant.remove', { participant_id: carlsPhone.id }), 'not_removable')
    await refuses(anna.act('participant.remove', { participant_id: 'nobody' }), 'no_such_participant')
  })

  it('R6 does not open a lock when it is lifted', async () => {
    const { house, anna, ben } = await both()
    await anna.act('conference.set_lock', { locked: true })
    await anna.act('participant.remove', { participant_id: ben.id })
    await anna.act('participant.readmit', { user_id: String(userIdOf('ben')) })
    await refuses(house.join('ben'), 'locked')
    await house.restart()
    await refuses(house.join('ben'), 'locked')
  })
})
