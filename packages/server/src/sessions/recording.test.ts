import { describe, expect, it } from 'vitest'
import { GRACE, namesOf, openTestHarness, refuses, TAG } from './testing/test-harness.ts'

const ordinary = async () => {
  const harness = await openTestHarness()
  harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  harness.jobs.heard.length = 0
  return { harness, anna, ben, sessionId: anna.ref.sessionId }
}

describe('recording', () => {
  it('J11 is told that a session begins with its first participant, and that it ends', async () => {
    const harness = await openTestHarness()
    const [{ ref }] = await Promise.all([harness.join('anna'), harness.join('ben')])
    const { sessionId } = ref
    expect(harness.jobs.heard).toEqual([`began ${sessionId} ${TAG} partner`])
    await harness.conferences.end(TAG, 'closed')
    expect(harness.jobs.heard.slice(1)).toEqual([`ended ${sessionId}`])
  })

  it('J11 is told again after a crash, when the first has come back', async () => {
    const harness = await openTestHarness()
    const { ref } = await harness.join('anna')
    await harness.restart()
    expect(harness.jobs.heard).toHaveLength(1)
    await harness.join('anna')
    expect(harness.jobs.heard).toEqual(Array(2).fill(`began ${ref.sessionId} ${TAG} partner`))
    await harness.restart()
    await harness.pass(GRACE)
    expect(harness.jobs.heard.slice(2)).toEqual([`ended ${ref.sessionId}`])
  })

  it('J11 is not told of a session that nobody gets into', async () => {
    const { harness, anna, ben } = await ordinary()
    await anna.act('participant.remove', { participant_id: ben.id })
    await harness.restart()
    await refuses(harness.join('ben'), 'removed')
    expect(harness.jobs.heard).toEqual([])
  })

  it('J12 shows in the state, and is told when it changes', async () => {
    const { harness, sessionId } = await ordinary()
    const isShown = () => harness.registry.state(sessionId)?.state.recording
    expect(isShown()).toBe(false)
    for (const active of [true, true, false, false, true]) harness.conferences.setRecording(sessionId, active)
    expect(isShown()).toBe(true)
    const told = harness.events.take()
    expect(namesOf(told)).toEqual(Array(3).fill('recording.changed'))
    expect(told.map(({ body }) => body)).toEqual([{ active: true }, { active: false }, { active: true }])
  })

  it('J12 is told to nobody when the session is over', async () => {
    const { harness, anna, sessionId } = await ordinary()
    await anna.act('conference.end', {})
    harness.events.take()
    harness.conferences.setRecording(sessionId, true)
    expect(harness.events.take()).toEqual([])
  })

  it('J13 is started and stopped by moderators of ordinary conferences', async () => {
    const { harness, anna, ben, sessionId } = await ordinary()
    await refuses(ben.act('recording.start', {}), 'not_moderator')
    await refuses(ben.act('recording.stop', {}), 'not_moderator')
    await anna.act('recording.start', {})
    await anna.act('recording.stop', {})
    expect(harness.jobs.heard).toEqual([`start ${sessionId}`, `stop ${sessionId}`])
  })

  it('J13 is nobody’s to start or stop in a partner’s room', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await refuses(anna.act('recording.start', {}), 'records_itself')
    await refuses(anna.act('recording.stop', {}), 'records_itself')
    expect(harness.jobs.heard).toHaveLength(1)
  })
})
