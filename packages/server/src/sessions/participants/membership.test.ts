import { describe, expect, it } from 'vitest'
import { send } from '../chat.ts'
import { DEVICES_MAX, PARTICIPANTS_MAX } from '../limits.ts'
import {
  GRACE,
  namesOf,
  OTHER_TAG,
  openTestHarness,
  refuses,
  TAG,
  userIdOf,
} from '../testing/test-harness.ts'

describe('membership', () => {
  it('M1 opens a session with the first participant; the conference is live while one is open', async () => {
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
    expect(harness.media.calls).toEqual([`openRoom ${anna.ref.sessionId}`])
  })

  it('M1 opens one session for many joins at once', async () => {
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

  it('M3 lets nobody into an unknown or closed conference', async () => {
    const harness = await openTestHarness()
    await expect(harness.join('anna', 'moderator', 1, 'nowhere')).rejects.toMatchObject({
      code: 'conference_not_found',
    })
    harness.directory.closed.add(TAG)
    await expect(harness.join('anna', 'moderator')).rejects.toMatchObject({ code: 'room_closed' })
    expect(await harness.registry.isLive(TAG)).toBe(false)
  })

  it('M4 shows a participant without a connection as away, and the same one after a reconnect', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    await ben.execute('participant.update', { hand_raised: true })
    harness.events.take()
    expect(await ben.disconnect()).toBe(true)
    expect(ben.view()?.presence).toBe('away')
    await harness.advance(GRACE - 1)
    expect(await ben.reconnect()).toBe(true)
    expect(ben.view()).toMatchObject({ presence: 'here', hand_raised_at_ms: expect.any(Number) })
    await harness.advance(GRACE)
    expect(ben.view()?.presence).toBe('here')
    expect(namesOf(harness.events.take())).toEqual(['participant.changed', 'participant.changed'])
  })

  it('M4 treats a join on the lost connection as a reconnect', async () => {
    const harness = await openTestHarness()
    const ben = await harness.join('ben')
    await ben.disconnect()
    expect((await harness.join('ben')).id).toBe(ben.id)
    expect(ben.view()?.presence).toBe('here')
  })

  it('M5 removes an away participant as lost after the grace time', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    await ben.disconnect()
    harness.events.take()
    await harness.advance(GRACE)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: ben.id, reason: 'lost' } },
    ])
    expect(await ben.reconnect()).toBe(false)
    expect(harness.media.calls).toContain(`closeParticipant ${ben.ref.sessionId} ${ben.id}`)
    expect((await harness.join('ben')).id).not.toBe(ben.id)
  })

  it('M6 removes a leaving participant at once, and only once', async () => {
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
    expect(harness.participants.isInside(ben.ref)).toBe(false)
  })

  it('M7 gives a connection its present role, and stores none', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await anna.disconnect()
    await anna.reconnect('participant')
    expect(anna.view()?.role).toBe('participant')
    await refuses(anna.execute('conference.set_lock', { locked: true }), 'not_moderator')
    const phone = await harness.join('anna', 'moderator', 2)
    expect([anna.view()?.role, phone.view()?.role]).toEqual(['participant', 'moderator'])
  })

  it('M8 limits participants, and the devices of one account', async () => {
    const harness = await openTestHarness()
    for (let device = 1; device <= DEVICES_MAX; device++) await harness.join('anna', 'participant', device)
    await refuses(harness.join('anna', 'participant', DEVICES_MAX + 1), 'too_many_devices')
    for (let i = DEVICES_MAX; i < PARTICIPANTS_MAX; i++) await harness.join(`guest-${i}`)
    await refuses(harness.join('ben'), 'full')
    await harness.join('anna', 'participant', 1) // is here already
  })

  it('M8 gives the place of a lost connection to the same person at once, and to nobody else', async () => {
    const harness = await openTestHarness()
    const phones = []
    for (let device = 1; device <= DEVICES_MAX; device++)
      phones.push(await harness.join('anna', 'participant', device))
    for (let i = DEVICES_MAX; i < PARTICIPANTS_MAX; i++) await harness.join(`guest-${i}`)
    await phones[3]?.disconnect()
    await refuses(harness.join('ben'), 'full')
    harness.events.take()
    const tablet = await harness.join('anna', 'participant', DEVICES_MAX + 1)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.left', body: { participant_id: phones[3]?.id, reason: 'lost' } },
      { name: 'participant.joined', body: { participant: { participant_id: tablet.id } } },
    ])
    await refuses(harness.join('anna', 'participant', DEVICES_MAX + 2), 'full')
  })

  it('stores nobody who could not join, although the store had stored them when it reported a failure', async () => {
    const left: string[] = []
    let isBroken = true
    const harness = await openTestHarness(parts => ({
      ...parts,
      attendance: {
        ...parts.attendance,
        joined: async (...entry) => {
          await parts.attendance.joined(...entry)
          if (isBroken) throw new Error('the answer was lost')
        },
        left: async (participantId, ...rest) => {
          left.push(participantId)
          await parts.attendance.left(participantId, ...rest)
        },
      },
    }))
    await expect(harness.join('anna')).rejects.toThrow('the answer was lost')
    isBroken = false
    const { ref } = await harness.join('anna')
    expect(left).toHaveLength(1)
    expect(left).not.toContain(ref.participantId)
    const stored = () => harness.parts.participants.list(ref.sessionId)
    await expect.poll(stored).toMatchObject([{ participantId: ref.participantId }])
  })

  it('M9 refuses commands of accounts that are not inside', async () => {
    const harness = await openTestHarness()
    await harness.join('anna')
    const ben = await harness.join('ben')
    const ref = { ...ben.ref, sessionId: ben.ref.sessionId + 1 }
    await refuses(
      harness.participants.execute(ref, { id: 'c', userId: ben.userId, body: { text: 'x' }, run: send }),
      'not_inside',
    )
    await ben.leave()
    await refuses(ben.execute('chat.send', { text: 'x' }), 'not_inside')
    await refuses(ben.execute('chat.history', {}), 'not_inside')
  })

  it('M10 gives nobody the participant of another account', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await anna.disconnect()
    const ben = { userId: userIdOf('ben'), linkRole: 'moderator' as const }
    expect(await harness.participants.reconnect(anna.ref, ben)).toBe(false)
    expect(anna.view()?.presence).toBe('away')
  })
})
