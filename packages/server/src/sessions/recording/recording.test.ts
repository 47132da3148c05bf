import { describe, expect, it } from 'vitest'
import { GRACE, namesOf, openTestHarness, refuses, TAG } from '../testing/test-harness.ts'

const ordinary = async () => {
  const harness = await openTestHarness()
  harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  harness.jobs.calls.length = 0
  return { harness, anna, ben, sessionId: anna.ref.sessionId }
}

describe('recording', () => {
  it('J11 publishes that a session starts with its first participant, and that it ends', async () => {
    const harness = await openTestHarness()
    const [{ ref }] = await Promise.all([harness.join('anna'), harness.join('ben')])
    const { sessionId } = ref
    expect(harness.jobs.calls).toEqual([`began ${sessionId} ${TAG} partner`])
    await harness.conferences.end(TAG, 'closed')
    expect(harness.jobs.calls.slice(1)).toEqual([`ended ${sessionId}`])
  })

  it('J11 publishes the start again after a crash, with the first join', async () => {
    const harness = await openTestHarness()
    const { ref } = await harness.join('anna')
    await harness.restart()
    expect(harness.jobs.calls).toHaveLength(1)
    await harness.join('anna')
    expect(harness.jobs.calls).toEqual(Array(2).fill(`began ${ref.sessionId} ${TAG} partner`))
    await harness.restart()
    await harness.advance(GRACE)
    expect(harness.jobs.calls.slice(2)).toEqual([`ended ${ref.sessionId}`])
  })

  it('J11 publishes no start of a session that nobody enters', async () => {
    const { harness, anna, ben } = await ordinary()
    await anna.execute('participant.remove', { participant_id: ben.id })
    await harness.restart()
    await refuses(harness.join('ben'), 'removed')
    expect(harness.jobs.calls).toEqual([])
  })

  it('J12 is part of the state, and published when it changes', async () => {
    const { harness, sessionId } = await ordinary()
    const isShown = () => harness.registry.state(sessionId)?.state.recording
    expect(isShown()).toBe(false)
    for (const active of [true, true, false, false, true]) harness.reports.setRecording(sessionId, active)
    expect(isShown()).toBe(true)
    const published = harness.events.take()
    expect(namesOf(published)).toEqual(Array(3).fill('recording.changed'))
    expect(published.map(({ body }) => body)).toEqual([{ active: true }, { active: false }, { active: true }])
  })

  it('J12 publishes nothing after the end of the session', async () => {
    const { harness, anna, sessionId } = await ordinary()
    await anna.execute('conference.end', {})
    harness.events.take()
    harness.reports.setRecording(sessionId, true)
    expect(harness.events.take()).toEqual([])
  })

  it('J13 is started and stopped by moderators of ordinary conferences', async () => {
    const { harness, anna, ben, sessionId } = await ordinary()
    await refuses(ben.execute('recording.start', {}), 'not_moderator')
    await refuses(ben.execute('recording.stop', {}), 'not_moderator')
    await anna.execute('recording.start', {})
    await anna.execute('recording.stop', {})
    expect(harness.jobs.calls).toEqual([`start ${sessionId}`, `stop ${sessionId}`])
  })

  it('J13 cannot be started or stopped in a partner’s room', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await refuses(anna.execute('recording.start', {}), 'records_itself')
    await refuses(anna.execute('recording.stop', {}), 'records_itself')
    expect(harness.jobs.calls).toHaveLength(1)
  })
})
