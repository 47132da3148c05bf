import { describe, expect, it } from 'vitest'
import { GRACE, namesOf, openHouse, refuses, TAG } from './testing/house.ts'

const ordinary = async () => {
  const house = await openHouse()
  house.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  const anna = await house.join('anna', 'moderator')
  const ben = await house.join('ben')
  house.events.take()
  house.jobs.heard.length = 0
  return { house, anna, ben, sessionId: anna.place.sessionId }
}

describe('recording', () => {
  it('J11 is told that a session begins with its first participant, and that it ends', async () => {
    const house = await openHouse()
    const [{ place }] = await Promise.all([house.join('anna'), house.join('ben')])
    const { sessionId } = place
    expect(house.jobs.heard).toEqual([`began ${sessionId} ${TAG} partner`])
    await house.conferences.end(TAG, 'closed')
    expect(house.jobs.heard.slice(1)).toEqual([`ended ${sessionId}`])
  })

  it('J11 is told again after a crash, when the first has come back', async () => {
    const house = await openHouse()
    const { place } = await house.join('anna')
    await house.restart()
    expect(house.jobs.heard).toHaveLength(1)
    await house.join('anna')
    expect(house.jobs.heard).toEqual(Array(2).fill(`began ${place.sessionId} ${TAG} partner`))
    await house.restart()
    await house.pass(GRACE)
    expect(house.jobs.heard.slice(2)).toEqual([`ended ${place.sessionId}`])
  })

  it('J11 is not told of a session that nobody gets into', async () => {
    const { house, anna, ben } = await ordinary()
    await anna.act('participant.remove', { participant_id: ben.id })
    await house.restart()
    await refuses(house.join('ben'), 'removed')
    expect(house.jobs.heard).toEqual([])
  })

  it('J12 shows in the state, and is told when it changes', async () => {
    const { house, sessionId } = await ordinary()
    const isShown = () => house.conferences.state(sessionId)?.state.recording
    expect(isShown()).toBe(false)
    for (const active of [true, true, false, false, true]) house.conferences.setRecording(sessionId, active)
    expect(isShown()).toBe(true)
    const told = house.events.take()
    expect(namesOf(told)).toEqual(Array(3).fill('recording.changed'))
    expect(told.map(({ body }) => body)).toEqual([{ active: true }, { active: false }, { active: true }])
  })

  it('J12 is told to nobody when the session is over', async () => {
    const { house, anna, sessionId } = await ordinary()
    await anna.act('conference.end', {})
    house.events.take()
    house.conferences.setRecording(sessionId, true)
    expect(house.events.take()).toEqual([])
  })

  it('J13 is started and stopped by moderators of ordinary conferences', async () => {
    const { house, anna, ben, sessionId } = await ordinary()
    await refuses(ben.act('recording.start', {}), 'not_moderator')
    await refuses(ben.act('recording.stop', {}), 'not_moderator')
    await anna.act('recording.start', {})
    await anna.act('recording.stop', {})
    expect(house.jobs.heard).toEqual([`start ${sessionId}`, `stop ${sessionId}`])
  })

  it('J13 is nobody’s to start or stop in a partner’s room', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await refuses(anna.act('recording.start', {}), 'records_itself')
    await refuses(anna.act('recording.stop', {}), 'records_itself')
    expect(house.jobs.heard).toHaveLength(1)
  })
})
