import { describe, expect, it } from 'vitest'
import { GRACE, openHouse, refuses } from './testing/house.ts'

describe('lock', () => {
  it('LOCK-1 is a moderator’s, and told when it changes', async () => {
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

  it('LOCK-2 sends everybody new to the lobby but moderators, until it is lifted', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await anna.act('conference.set_lock', { locked: true })
    await refuses(house.join('ben'), 'locked')
    expect(await house.wait('ben', 'participant')).toBe('locked')
    await house.join('carl', 'moderator')
    await anna.act('conference.set_lock', { locked: false })
    expect(house.told('ben')).toEqual(['admitted', null])
    await house.join('ben')
  })

  it('LOCK-3 lets every member in again: with another device, after leaving, after being lost', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const [ben, carl] = [await house.join('ben'), await house.join('carl')]
    await anna.act('conference.set_lock', { locked: true })
    await house.join('ben', 'participant', 2)
    await ben.lose()
    await house.join('ben', 'participant', 3)
    expect(await ben.back()).toBe(true)
    await carl.leave()
    await house.join('carl', 'participant', 2)
    await ben.lose()
    await house.pass(GRACE)
    await house.join('ben', 'participant', 4)
  })

  it('LOCK-4 counts who was inside before the lock, and not who never was', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await ben.leave()
    await anna.act('conference.set_lock', { locked: true })
    await house.join('ben', 'participant', 2)
    await refuses(house.join('eve'), 'locked')
  })

  it('LOCK-5 lets members in again after a crash, at any time until the session ends', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const ben = await house.join('ben')
    await ben.leave()
    await anna.act('conference.set_lock', { locked: true })
    await house.restart()
    await house.join('anna', 'moderator')
    await refuses(house.join('eve'), 'locked')
    await house.pass(3 * GRACE)
    await house.join('ben')
    await house.restart() // also when it crashes twice
    await house.join('ben')
    await refuses(house.join('eve'), 'locked')
  })

  it('LOCK-6 remembers those who are inside when there are too many members', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    const { sessionId } = anna.place
    const members = Array.from({ length: 2000 }, (_, i) => 1_000_000 + i)
    const stored = await house.unwrapped.sessions.find(sessionId)
    if (!stored) return expect.fail()
    await house.unwrapped.sessions.save(sessionId, { ...stored, members })
    await house.restart()
    await house.join('anna', 'moderator')
    await house.join('ben')
    const now = await house.unwrapped.sessions.find(sessionId)
    expect(now?.members).toHaveLength(2000)
    expect(now?.members.slice(-2)).toEqual([anna.userId, (await house.join('ben')).userId])
    expect(now?.members[0]).toBe(1_000_002)
  })
})
