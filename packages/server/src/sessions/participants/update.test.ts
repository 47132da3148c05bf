import { describe, expect, it } from 'vitest'
import { GRACE, openTestHarness, refuses, type TestParticipant } from '../testing/test-harness.ts'

const both = async () => {
  const harness = await openTestHarness()
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  return { harness, anna, ben }
}

describe('hand and name', () => {
  it('H1 keeps the time at which a hand was raised', async () => {
    const { harness, ben } = await both()
    const at = harness.now
    await ben.execute('participant.update', { hand_raised: true })
    await harness.advance(1000)
    await ben.execute('participant.update', { hand_raised: true })
    expect(ben.view()?.hand_raised_at_ms).toBe(at)
    expect(harness.events.take()).toMatchObject([
      { name: 'participant.changed', body: { participant: { hand_raised_at_ms: at } } },
    ])
    await ben.execute('participant.update', { hand_raised: false })
    expect(ben.view()?.hand_raised_at_ms).toBeNull()
  })

  it('H1 shows nobody a hand that is not stored', async () => {
    let shown: unknown
    const harness = await openTestHarness(parts => ({
      ...parts,
      sessions: {
        ...parts.sessions,
        saveHands: async () => {
          shown = ben.view()?.hand_raised_at_ms
          throw new Error('the store is away')
        },
      },
    }))
    const ben = await harness.join('ben')
    await expect(ben.execute('participant.update', { hand_raised: true })).rejects.toThrow('away')
    expect([shown, ben.view()?.hand_raised_at_ms]).toEqual([null, null])
  })

  it('H2 lets a moderator lower the hand of another participant, and change nothing else', async () => {
    const { anna, ben } = await both()
    const of = (participant_id: string) => ({ participant_id })
    await ben.execute('participant.update', { hand_raised: true })
    await anna.execute('participant.update', { ...of(ben.id), hand_raised: false })
    expect(ben.view()?.hand_raised_at_ms).toBeNull()
    const raise = { ...of(ben.id), hand_raised: true }
    await refuses(anna.execute('participant.update', raise), 'not_yours')
    await refuses(anna.execute('participant.update', { ...of(ben.id), display_name: 'B' }), 'not_yours')
    await refuses(ben.execute('participant.update', { ...of(anna.id), hand_raised: false }), 'not_yours')
    await refuses(
      anna.execute('participant.update', { ...of('x'), hand_raised: false }),
      'no_such_participant',
    )
    await ben.execute('participant.update', { ...of(ben.id), hand_raised: true })
  })

  it('H3 changes the name of one device, trimmed, and never to a blank one', async () => {
    const { harness, ben } = await both()
    const phone = await harness.join('ben', 'participant', 2)
    await ben.execute('participant.update', { display_name: '  Ben\nB.\u202e ' })
    expect([ben.view()?.display_name, phone.view()?.display_name]).toEqual(['Ben B.', 'ben'])
    await refuses(ben.execute('participant.update', { display_name: ' \t\u3164' }), 'blank')
  })

  it('H5 keeps raised hands and their order across a restart of the server, for the grace time', async () => {
    const { harness, anna, ben } = await both()
    const carl = await harness.join('carl')
    const raisedAtMs: number[] = []
    for (const guest of [ben, carl, anna]) {
      await guest.execute('participant.update', { hand_raised: true })
      raisedAtMs.push(harness.now)
      await harness.advance(1000)
    }
    await ben.execute('participant.update', { hand_raised: false })
    await harness.restart()
    const handOf = async (name: string) => (await harness.join(name)).view()?.hand_raised_at_ms
    expect(await handOf('carl')).toBe(raisedAtMs[1])
    await harness.restart()
    expect(await Promise.all(['ben', 'carl', 'anna'].map(handOf))).toEqual([null, ...raisedAtMs.slice(1)])
    await harness.restart()
    await harness.join('ben')
    await harness.advance(GRACE)
    expect(await handOf('anna')).toBeNull()
  })

  it('H5 forgets the hand of a person who has not returned within the grace time, also after another restart', async () => {
    const { harness, ben } = await both()
    await ben.execute('participant.update', { hand_raised: true })
    await harness.restart()
    await harness.join('anna')
    await harness.advance(GRACE)
    await harness.restart()
    expect((await harness.join('ben')).view()?.hand_raised_at_ms).toBeNull()
  })

  it('H5 restores a raised hand on one device only, and not after the participant left', async () => {
    const { harness, ben } = await both()
    const carl = await harness.join('carl')
    for (const guest of [ben, carl]) await guest.execute('participant.update', { hand_raised: true })
    await carl.leave()
    await harness.restart()
    const views = [
      await harness.join('ben'),
      await harness.join('ben', 'participant', 2),
      await harness.join('carl'),
    ]
    expect(views.map(guest => guest.view()?.hand_raised_at_ms)).toEqual([harness.now, null, null])
  })

  it('H5 leaves the hand unchanged when the change cannot be stored', async () => {
    const harness = await openTestHarness(parts => ({
      ...parts,
      sessions: { ...parts.sessions, saveHands: () => Promise.reject(new Error('disk full')) },
    }))
    const ben = await harness.join('ben')
    await expect(ben.execute('participant.update', { hand_raised: true })).rejects.toThrow('disk full')
    expect(ben.view()?.hand_raised_at_ms).toBeNull()
  })

  it('H4 publishes nothing when nothing changes', async () => {
    const { harness, ben } = await both()
    await ben.execute('participant.update', { display_name: 'ben', hand_raised: false })
    expect(harness.events.take()).toEqual([])
  })
})

describe('mute', () => {
  it('MUTE-1 lets a moderator mute anybody, who may unmute again', async () => {
    const { harness, anna, ben } = await both()
    await anna.execute('participant.mute', { participant_id: ben.id, source: 'audio' })
    expect(harness.events.take()).toMatchObject([
      {
        name: 'participant.muted',
        body: { participant_id: ben.id, source: 'audio', by_participant_id: anna.id },
      },
    ])
    expect(harness.media.calls).toContain(`mute ${ben.ref.sessionId} ${ben.id} audio`)
  })

  it('MUTE-2 mutes everybody but the sender’s own devices, with one event', async () => {
    const { harness, anna, ben } = await both()
    await harness.join('anna', 'participant', 2)
    const phone = await harness.join('ben', 'participant', 2)
    harness.events.take()
    harness.media.calls.splice(0)
    await anna.execute('participant.mute', { source: 'video' })
    const body = { participant_id: null, source: 'video', by_participant_id: anna.id }
    expect(harness.events.take()).toMatchObject([{ name: 'participant.muted', body }])
    const muteCallOf = ({ id, ref }: TestParticipant) => `mute ${ref.sessionId} ${id} video`
    expect(harness.media.calls).toEqual([muteCallOf(ben), muteCallOf(phone)])
  })

  it('MUTE-3 lets participants mute their own devices only', async () => {
    const { harness, anna, ben } = await both()
    const phone = await harness.join('ben', 'participant', 2)
    await ben.execute('participant.mute', { participant_id: phone.id, source: 'audio' })
    await refuses(
      ben.execute('participant.mute', { participant_id: anna.id, source: 'audio' }),
      'not_moderator',
    )
    await refuses(ben.execute('participant.mute', { source: 'audio' }), 'not_moderator')
    await refuses(
      anna.execute('participant.mute', { participant_id: 'x', source: 'audio' }),
      'no_such_participant',
    )
  })
})
