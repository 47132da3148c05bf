import { describe, expect, it } from 'vitest'
import { GRACE, openHouse, refuses } from './testing/house.ts'

describe('lock', () => {
  it('L1 is a moderator’s, and told when it changes', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    house.events.take()
    await refuses(ben.act('conference.set_lock', { locked: true }), 'not_moderator')
    await anna.act('conference.set_lock', { locked: true })
    await anna.act('conference.set_lock', { locked: true })
    expect(house.events.take()).toMatchObject([{ name: 'conference.locked', body: { locked: true } }])
    expect(house.conferences.state(anna.place.sessionId)?.state.locked).toBe(true)
  })

  it('L2 keeps out everybody new but moderators, until it is lifted', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await refuses(house.join('ben'), 'locked')
    await house.join('carl', 'moderator')
    await anna.act('conference.set_lock', { locked: false })
    await house.join('ben')
  })

  it('L3 lets people who are inside, or away, come with another device', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await anna.act('conference.set_lock', { locked: true })
    await house.join('ben', 'participant', 2)
    await ben.lose()
    await house.join('ben', 'participant', 3)
    expect(await ben.back()).toBe(true)
  })

  it('L4 keeps out who left, or was away too long', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const [ben, carl] = [await house.join('ben'), await house.join('carl')]
    await anna.act('conference.set_lock', { locked: true })
    await ben.leave()
    await carl.lose()
    await house.pass(GRACE)
    await refuses(house.join('ben'), 'locked')
    await refuses(house.join('carl'), 'locked')
  })

  it('L5 after a crash lets in for the grace time who was inside then, and nobody else', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const [ben] = [await house.join('ben'), await house.join('dora')]
    await anna.act('conference.set_lock', { locked: true })
    await ben.leave()
    await house.join('carl', 'moderator')

    await house.restart()
    await refuses(house.join('ben'), 'locked')
    await refuses(house.join('eve'), 'locked')
    await house.join('carl')
    await house.restart() // also when it crashes twice
    await house.join('carl')
    await house.join('anna')
    await house.pass(GRACE)
    await refuses(house.join('dora'), 'locked')
  })
})
