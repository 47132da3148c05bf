import type { Phrase } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { namesOf, openHouse, refuses, TAG } from './testing/house.ts'

const phrase = (seq: number, run = 'job_a'): Phrase => ({
  phrase_id: `${run}.${seq}`,
  participant_id: '1.1.1',
  user_id: '7',
  display_name: 'Anna',
  text: `phrase ${seq}`,
  at_ms: 1_700_000_000_000 + seq,
})

async function ordinary() {
  const house = await openHouse()
  house.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  const anna = await house.join('anna', 'moderator')
  const ben = await house.join('ben')
  house.events.take()
  house.jobs.heard.length = 0
  return { house, anna, ben, sessionId: anna.place.sessionId }
}

describe('transcription', () => {
  it('X1 is started and stopped by moderators of ordinary conferences', async () => {
    const { house, anna, ben, sessionId } = await ordinary()
    await refuses(ben.act('transcription.start', {}), 'not_moderator')
    await refuses(ben.act('transcription.stop', {}), 'not_moderator')
    await anna.act('transcription.start', { language: 'en-US' })
    await anna.act('transcription.stop', {})
    expect(house.jobs.heard).toEqual([`transcribe ${sessionId} en-US`, `stop transcribing ${sessionId}`])
  })

  it('X1 is an administrator’s in a partner’s room, whoever moderates there', async () => {
    const house = await openHouse()
    const anna = await house.join('anna', 'moderator')
    await refuses(anna.act('transcription.start', {}), 'administrator_only')
    await refuses(anna.act('transcription.stop', {}), 'administrator_only')
    expect(await house.conferences.startTranscription(TAG, {})).toBe(true)
    expect(await house.conferences.stopTranscription(TAG)).toBe(true)
    const { sessionId } = anna.place
    expect(house.jobs.heard.slice(1)).toEqual([
      `transcribe ${sessionId} any`,
      `stop transcribing ${sessionId}`,
    ])
  })

  it('X1 is not started where nothing goes on', async () => {
    const house = await openHouse()
    expect(await house.conferences.startTranscription(TAG, {})).toBe(false)
    const { place } = await house.join('anna')
    await house.conferences.end(TAG, 'closed')
    house.jobs.heard.length = 0
    expect(await house.conferences.startTranscription(TAG, {})).toBe(false)
    expect(await house.conferences.stopTranscription(TAG)).toBe(false)
    expect(house.jobs.heard, `${place.sessionId}`).toEqual([])
  })

  it('X2 is refused when there is no transcriber; stopping is not', async () => {
    const { house, anna, sessionId } = await ordinary()
    house.jobs.isTranscriberThere = false
    await refuses(anna.act('transcription.start', {}), 'transcription_unavailable')
    await refuses(house.conferences.startTranscription(TAG, {}), 'transcription_unavailable')
    await anna.act('transcription.stop', {})
    expect(house.jobs.heard).toEqual([`stop transcribing ${sessionId}`])
  })

  it('X3 shows in the state, and is told when it changes', async () => {
    const { house, sessionId } = await ordinary()
    const isShown = () => house.conferences.state(sessionId)?.state.transcription
    expect(isShown()).toBe(false)
    for (const active of [true, true, false, false, true])
      house.conferences.setTranscription(sessionId, active)
    expect(isShown()).toBe(true)
    const told = house.events.take()
    expect(namesOf(told)).toEqual(Array(3).fill('transcription.changed'))
    expect(told.map(({ body }) => body)).toEqual([{ active: true }, { active: false }, { active: true }])
  })

  it('X4 tells each phrase once and in order, and keeps the newest hundred', async () => {
    const { house, sessionId } = await ordinary()
    const all = Array.from({ length: 101 }, (_, i) => phrase(i + 1))
    house.conferences.hear(sessionId, all.slice(0, 60))
    house.conferences.hear(sessionId, all.slice(40))
    expect(house.events.take().map(({ body }) => body)).toEqual(all.map(each => ({ phrase: each })))
    expect(house.conferences.state(sessionId)?.state.phrases).toEqual(all.slice(1))
    house.conferences.hear(sessionId, [phrase(1, 'job_b')])
    expect(house.events.take()).toHaveLength(1)
  })

  it('X4 tells nothing when the session is over', async () => {
    const { house, anna, sessionId } = await ordinary()
    await anna.act('conference.end', {})
    house.events.take()
    house.conferences.setTranscription(sessionId, true)
    house.conferences.hear(sessionId, [phrase(1)])
    expect(house.events.take()).toEqual([])
  })
})
