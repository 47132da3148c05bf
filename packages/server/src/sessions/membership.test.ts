import { describe, expect, it } from 'vitest'
import { DEVICES_MAX, PARTICIPANTS_MAX } from './limits.ts'
import { GRACE, namesOf, OTHER_TAG, openHouse, refuses, TAG, userIdOf } from './testing/house.ts'

describe('membership', () => {
  it('M1 starts a session with the first participant; live means that one is open', async () => {
    const house = await openHouse()
    expect(await house.conferences.isLive(TAG)).toBe(false)
    const anna = await house.join('anna', 'moderator')
    expect(await house.conferences.isLive(TAG)).toBe(true)
    expect(await house.conferences.isLive(OTHER_TAG)).toBe(false)
    const ben = await house.join('ben')
    expect(ben.place.sessionId).toBe(anna.place.sessionId)
    expect(house.conferences.state(anna.place.sessionId)?.state).toMatchObject({
      conference_tag: TAG,
      conference_session_id: String(anna.place.sessionId),
      started_at_ms: house.now,
      participants: [
        { participant_id: anna.id, user_id: String(userIdOf('anna')), role: 'moderator', presence: 'here' },
        { participant_id: ben.id, role: 'participant', joined_at_ms: house.now, hand_raised_at_ms: null },
      ],
    })
    expect(namesOf(house.events.take())).toEqual(['participant.joined', 'participant.joined'])
    expect(house.media.asked).toEqual([`openRoom ${anna.place.sessionId}`])
  })

  it('M1 starts one session for many who come at once', async () => {
    const house = await openHouse()
    const all = await Promise.all(Array.from({ length: 30 }, (_, i) => house.join(`guest-${i}`)))
    expect(new Set(all.map(({ place }) => place.sessionId)).size).toBe(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(30)
  })

  it('M2 has one participant for each connection, however often it joins', async () => {
    const house = await openHouse()
    const phone = await house.join('anna', 'participant', 1)
    expect((await house.join('anna', 'participant', 1)).id).toBe(phone.id)
    expect((await house.join('anna', 'participant', 2)).id).not.toBe(phone.id)
    expect(namesOf(house.events.take())).toEqual(['participant.joined', 'participant.joined'])
  })

  it('M3 lets nobody into what is unknown or closed', async () => {
    const house = await openHouse()
    await expect(house.join('anna', 'moderator', 1, 'nowhere')).rejects.toMatchObject({
      code: 'conference_not_found',
    })
    house.directory.closed.add(TAG)
    await expect(house.join('anna', 'moderator')).rejects.toMatchObject({ code: 'room_closed' })
    expect(await house.conferences.isLive(TAG)).toBe(false)
  })

  it('M4 shows a lost connection as away, and the same participant when it is back', async () => {
    const house = await openHouse()
    await house.join('anna')
    const ben = await house.join('ben')
    await ben.act('participant.update', { hand_raised: true })
    house.events.take()
    expect(await ben.lose()).toBe(true)
    expect(ben.view()?.presence).toBe('away')
    await house.pass(GRACE - 1)
    expect(await ben.back()).toBe(true)
    expect(ben.view()).toMatchObject({ presence: 'here', hand_raised_at_ms: expect.any(Number) })
    await house.pass(GRACE)
    expect(ben.view()?.presence).toBe('here')
    expect(namesOf(house.events.take())).toEqual(['participant.changed', 'participant.changed'])
  })

  it('M4 takes a join of the lost connection for its return', async () => {
    const house = await openHouse()
    const ben = await house.join('ben')
    await ben.lose()
    expect((await house.join('ben')).id).toBe(ben.id)
    expect(ben.view()?.presence).toBe('here')
  })

  it('M5 lets who is away go as lost after the grace time, for good', async () => {
    const house = await openHouse()
    await house.join('anna')
    const ben = await house.join('ben')
    await ben.lose()
    house.events.take()
    await house.pass(GRACE)
    expect(house.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'lost' } },
    ])
    expect(await ben.back()).toBe(false)
    expect(house.media.asked).toContain(`closeParticipant ${ben.place.sessionId} ${ben.id}`)
    expect((await house.join('ben')).id).not.toBe(ben.id)
  })

  it('M6 lets who leaves go at once, and only once', async () => {
    const house = await openHouse()
    await house.join('anna')
    const ben = await house.join('ben')
    house.events.take()
    expect(await ben.leave()).toBe(true)
    expect(await ben.leave()).toBe(false)
    expect(house.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'left' } },
    ])
    expect(house.events.detached).toEqual([ben.id])
    expect(house.conferences.isInside(ben.place)).toBe(false)
  })

  it('M7 gives a connection the role it has now, and keeps none', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await anna.lose()
    await anna.back('participant')
    expect(anna.view()?.role).toBe('participant')
    await refuses(anna.act('conference.set_lock', { locked: true }), 'not_moderator')
    const phone = await house.join('anna', 'moderator', 2)
    expect([anna.view()?.role, phone.view()?.role]).toEqual(['participant', 'moderator'])
  })

  it('M8 takes so many participants and so many devices, and no more', async () => {
    const house = await openHouse()
    for (let device = 1; device <= DEVICES_MAX; device++) await house.join('anna', 'participant', device)
    await refuses(house.join('anna', 'participant', DEVICES_MAX + 1), 'too_many_devices')
    for (let i = DEVICES_MAX; i < PARTICIPANTS_MAX; i++) await house.join(`guest-${i}`)
    await refuses(house.join('ben'), 'full')
    await house.join('anna', 'participant', 1) // is here already
  })

  it('M9 listens to nobody who is not inside', async () => {
    const house = await openHouse()
    await house.join('anna')
    const ben = await house.join('ben')
    const place = { ...ben.place, sessionId: ben.place.sessionId + 1 }
    await refuses(
      house.conferences.act(place, { id: 'c', name: 'chat.send', body: { text: 'x' } }),
      'not_inside',
    )
    await ben.leave()
    await refuses(ben.act('chat.send', { text: 'x' }), 'not_inside')
    await refuses(ben.act('chat.history', {}), 'not_inside')
  })

  it('M10 gives nobody the place of another', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await anna.lose()
    const ben = { userId: userIdOf('ben'), role: 'moderator' as const }
    expect(await house.conferences.connectionBack(anna.place, ben)).toBe(false)
    expect(anna.view()?.presence).toBe('away')
  })
})
