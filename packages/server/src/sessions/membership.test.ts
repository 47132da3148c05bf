import { describe, expect, it } from 'vitest'
import { send } from './chat.ts'
import { DEVICES_MAX, PARTICIPANTS_MAX } from './limits.ts'
import { GRACE, namesOf, OTHER_TAG, openTestHarness, refuses, TAG, userIdOf } from './testing/test-harness.ts'

describe('membership', () => {
  it('M1 starts a session with the first participant; live means that one is open', async () => {
    const harness = await openTestHarness()
    expect(await harness.registry.isLive(TAG)).toBe(false)
    const anna = await harness.join('anna', 'moderator')
    expect(await harness.registry.isLive(TAG)).toBe(true)
    expect(await harness.registry.isLive(OTHER_TAG)).toBe(false)
    const ben = await harness.join('ben')
    expect(ben.ref.sessionId).toBe(anna.ref.sessionId)
    expect(harness.registry.state(anna.ref.sessionId)?.state).toMatchObject({
      conference_tag: TAG,
      conference_session_id: String(anna.ref.sessionId),
      started_at_ms: harness.now,
      participants: [
        { participant_id: anna.id, user_id: String(userIdOf('anna')), role: 'moderator', presence: 'here' },
        { participant_id: ben.id, role: 'participant', joined_at_ms: harness.now, hand_raised_at_ms: null },
      ],
    })
    expect(namesOf(harness.events.take())).toEqual(['participant.joined', 'participant.joined'])
    expect(harness.media.asked).toEqual([`openRoom ${anna.ref.sessionId}`])
  })

  it('M1 starts one session for many who come at once', async () => {
    const harness = await openTestHarness()
    const all = await Promise.all(Array.from({ length: 30 }, (_, i) => harness.join(`guest-${i}`)))
    expect(new Set(all.map(({ ref }) => ref.sessionId)).size).toBe(1)
    expect(new Set(all.map(({ id }) => id)).size).toBe(30)
  })

  it('M2 has one participant for each connection, however often it joins', async () => {
    const harness = await openTestHarness()
    const phone = await harness.join('anna', 'participant', 1)
    expect((await harness.join('anna', 'participant', 1)).id).toBe(phone.id)
    expect((await harness.join('anna', 'participant', 2)).id).not.toBe(phone.id)
    expect(namesOf(harness.events.take())).toEqual(['participant.joined', 'participant.joined'])
  })

  it('M3 lets nobody into what is unknown or closed', async () => {
    const harness = await openTestHarness()
    await expect(harness.join('anna', 'moderator', 1, 'nowhere')).rejects.toMatchObject({
      code: 'conference_not_found',
    })
    harness.directory.closed.add(TAG)
    await expect(harness.join('anna', 'moderator')).rejects.toMatchObject({ code: 'room_closed' })
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('M4 shows a lost connection as away, and the same participant when it is back', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    await ben.act('participant.update', { hand_raised: true })
    harness.events.take()
    expect(await ben.lose()).toBe(true)
    expect(ben.view()?.presence).toBe('away')
    await harness.pass(GRACE - 1)
    expect(await ben.back()).toBe(true)
    expect(ben.view()).toMatchObject({ presence: 'here', hand_raised_at_ms: expect.any(Number) })
    await harness.pass(GRACE)
    expect(ben.view()?.presence).toBe('here')
    expect(namesOf(harness.events.take())).toEqual(['participant.changed', 'participant.changed'])
  })

  it('M4 takes a join of the lost connection for its return', async () => {
    const harness = await openTestHarness()
    const ben = await harness.join('ben')
    await ben.lose()
    expect((await harness.join('ben')).id).toBe(ben.id)
    expect(ben.view()?.presence).toBe('here')
  })

  it('M5 lets who is away go as lost after the grace time, for good', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    await ben.lose()
    harness.events.take()
    await harness.pass(GRACE)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'lost' } },
    ])
    expect(await ben.back()).toBe(false)
    expect(harness.media.asked).toContain(`closeParticipant ${ben.ref.sessionId} ${ben.id}`)
    expect((await harness.join('ben')).id).not.toBe(ben.id)
  })

  it('M6 lets who leaves go at once, and only once', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    harness.events.take()
    expect(await ben.leave()).toBe(true)
    expect(await ben.leave()).toBe(false)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'left' } },
    ])
    expect(harness.events.detached).toEqual([ben.id])
    expect(harness.conferences.isInside(ben.ref)).toBe(false)
  })

  it('M7 gives a connection the role it has now, and keeps none', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await anna.lose()
    await anna.back('participant')
    expect(anna.view()?.role).toBe('participant')
    await refuses(anna.act('conference.set_lock', { locked: true }), 'not_moderator')
    const phone = await harness.join('anna', 'moderator', 2)
    expect([anna.view()?.role, phone.view()?.role]).toEqual(['participant', 'moderator'])
  })

  it('M8 takes so many participants and so many devices, and no more', async () => {
    const harness = await openTestHarness()
    for (let device = 1; device <= DEVICES_MAX; device++) await harness.join('anna', 'participant', device)
    await refuses(harness.join('anna', 'participant', DEVICES_MAX + 1), 'too_many_devices')
    for (let i = DEVICES_MAX; i < PARTICIPANTS_MAX; i++) await harness.join(`guest-${i}`)
    await refuses(harness.join('ben'), 'full')
    await harness.join('anna', 'participant', 1) // is here already
  })

  it('M9 listens to nobody who is not inside', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    const ref = { ...ben.ref, sessionId: ben.ref.sessionId + 1 }
    await refuses(
      harness.conferences.execute(ref, { id: 'c', userId: ben.userId, body: { text: 'x' }, run: send }),
      'not_inside',
    )
    await ben.leave()
    await refuses(ben.act('chat.send', { text: 'x' }), 'not_inside')
    await refuses(ben.act('chat.history', {}), 'not_inside')
  })

  it('M10 gives nobody the participant of another account', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await anna.lose()
    const ben = { userId: userIdOf('ben'), linkRole: 'moderator' as const }
    expect(await harness.conferences.reconnect(anna.ref, ben)).toBe(false)
    expect(anna.view()?.presence).toBe('away')
  })
})
