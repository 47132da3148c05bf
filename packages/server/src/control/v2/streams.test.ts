import { describe, expect, it } from 'vitest'
import { createHarness, TAG } from '../testing/control-harness.ts'

describe('streams', () => {
  it('Q1 reach the connections of their account, or the participants of their session', async () => {
    const harness = await createHarness()
    const [anna, ben] = [await harness.enter('anna'), await harness.connect('ben')]
    anna.events()
    await anna.command('chat.send', { text: 'x' })
    expect([anna.eventNames(), ben.eventNames()]).toEqual([['chat.message'], []])
    const user = { ...harness.authenticator.user('ben'), displayName: 'Benjamin' }
    harness.streams.accounts.publishName(user)
    harness.streams.accounts.publishName(user) // is no news
    expect([anna.events(), ben.events()]).toMatchObject([
      [],
      [{ name: 'account.changed', stream_id: 'account:2', seq: '1', body: { display_name: 'Benjamin' } }],
    ])
    ben.snapshots()
    await ben.resync()
    expect(ben.snapshots()).toMatchObject([{ snapshot_seq: '1', state: { display_name: 'Benjamin' } }])
  })

  it('Q1 of an account report a changed name that a login reveals', async () => {
    const harness = await createHarness()
    const anna = await harness.connect('anna')
    harness.authenticator.users.set('anna', { ...harness.authenticator.user('anna'), displayName: 'Anne' })
    const phone = harness.client('anna')
    phone.instanceId = 'phone'
    await phone.login()
    await phone.fresh()
    expect(anna.events()).toMatchObject([{ name: 'account.changed', body: { display_name: 'Anne' } }])
  })

  it('Q2 number their events without a gap, in the same order for all', async () => {
    const harness = await createHarness()
    const people = [await harness.enter('anna'), await harness.enter('ben'), await harness.enter('carl')]
    for (const person of people) person.events()
    for (let i = 0; i < 10; i++)
      await Promise.all(people.map(person => person.command('chat.send', { text: `${i}` })))
    const [first, ...others] = people.map(person => person.events().map(({ event_id }) => event_id))
    expect(first).toHaveLength(30)
    for (const other of others) expect(other).toEqual(first)
    const seqs = first?.map(id => Number(id.split(':').at(-1))) ?? []
    expect(seqs).toEqual(seqs.map((_, i) => (seqs[0] ?? 0) + i))
  })

  it('Q3 and Q4 have a greater epoch and a greater version after a restart', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    await anna.command('chat.send', { text: 'x' })
    const before = anna.events().at(-1)
    harness.now += 10
    await harness.restart()
    await anna.login()
    expect((await anna.resume()).status).toBe('resume_rejected')
    await anna.fresh()
    await anna.join()
    await anna.command('chat.send', { text: 'y' })
    const after = anna.events().at(-1)
    expect(after?.stream_id).toBe(before?.stream_id)
    expect(Number(after?.stream_epoch)).toBeGreaterThan(Number(before?.stream_epoch))
    expect(Number(after?.aggregate_version)).toBeGreaterThan(Number(before?.aggregate_version))
  })

  it('Q5 start with a snapshot without a request', async () => {
    const harness = await createHarness()
    await harness.enter('anna')
    const ben = await harness.connect('ben')
    ben.snapshots()
    const joined = await ben.join()
    const [snapshot] = ben.snapshots()
    expect(snapshot).toMatchObject({
      request_id: 'r1',
      stream_id: `session:${ben.sessionId}`,
      state: { conference_tag: TAG, participants: [{ display_name: 'anna' }, { display_name: 'ben' }] },
    })
    expect(joined.data).toMatchObject({ stream: { seq: snapshot?.snapshot_seq } })
  })

  it('Q6 end for a participant that leaves, and for all with the session', async () => {
    const harness = await createHarness()
    const [anna, ben] = [await harness.enter('anna', 'moderator'), await harness.enter('ben')]
    ben.events()
    const conference = { kind: 'conference', id: TAG } as const
    await ben.command('conference.leave', {}, conference)
    await anna.command('chat.send', { text: 'x' })
    expect(ben.eventNames()).toEqual(['participant.left'])
    await ben.join()
    anna.events()
    await anna.command('conference.end', {}, conference)
    expect(anna.eventNames()).toEqual(['session.ended'])
    expect(await ben.command('chat.send', { text: 'x' })).toMatchObject({
      error: { extensions: { reason: 'not_inside' } },
    })
    expect(harness.streams.size).toBe(2) // the accounts'
  })

  it('are removed after their last subscriber', async () => {
    const harness = await createHarness()
    const anna = await harness.enter('anna')
    await anna.drop()
    await harness.pass(31_000)
    expect(harness.streams.size).toBe(0)
  })
})
