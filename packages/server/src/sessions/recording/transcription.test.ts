import type { Phrase } from '@lectern/protocol/control'
import { describe, expect, it } from 'vitest'
import { namesOf, openTestHarness, refuses, TAG } from '../testing/test-harness.ts'

const phrase = (seq: number, run = 'job_a'): Phrase => ({
  phrase_id: `${run}.${seq}`,
  participant_id: '1.1.1',
  user_id: '7',
  display_name: 'Anna',
  text: `phrase ${seq}`,
  at_ms: 1_700_000_000_000 + seq,
})

async function ordinary() {
  const harness = await openTestHarness()
  harness.directory.known.set(TAG, { tag: TAG, title: '', kind: 'ordinary', ownerId: null, entry: 'open' })
  const anna = await harness.join('anna', 'moderator')
  const ben = await harness.join('ben')
  harness.events.take()
  harness.jobs.calls.length = 0
  return { harness, anna, ben, sessionId: anna.ref.sessionId }
}

describe('transcription', () => {
  it('X1 is started and stopped by moderators of ordinary conferences', async () => {
    const { harness, anna, ben, sessionId } = await ordinary()
    await refuses(ben.execute('transcription.start', {}), 'not_moderator')
    await refuses(ben.execute('transcription.stop', {}), 'not_moderator')
    await anna.execute('transcription.start', { language: 'en-US' })
    await anna.execute('transcription.stop', {})
    expect(harness.jobs.calls).toEqual([`transcribe ${sessionId} en-US`, `stop transcribing ${sessionId}`])
  })

  it('X1 is started by administrators only in a partner’s room', async () => {
    const harness = await openTestHarness()
    const anna = await harness.join('anna', 'moderator')
    await refuses(anna.execute('transcription.start', {}), 'administrator_only')
    await refuses(anna.execute('transcription.stop', {}), 'administrator_only')
    expect(await harness.conferences.startTranscription(TAG, {})).toBe(true)
    expect(await harness.conferences.stopTranscription(TAG)).toBe(true)
    const { sessionId } = anna.ref
    expect(harness.jobs.calls.slice(1)).toEqual([
      `transcribe ${sessionId} any`,
      `stop transcribing ${sessionId}`,
    ])
  })

  it('X1 is not started without an open session', async () => {
    const harness = await openTestHarness()
    expect(await harness.conferences.startTranscription(TAG, {})).toBe(false)
    const { ref } = await harness.join('anna')
    await harness.conferences.end(TAG, 'closed')
    harness.jobs.calls.length = 0
    expect(await harness.conferences.startTranscription(TAG, {})).toBe(false)
    expect(await harness.conferences.stopTranscription(TAG)).toBe(false)
    expect(harness.jobs.calls, `${ref.sessionId}`).toEqual([])
  })

  it('X2 refuses to start without a transcriber, and not to stop', async () => {
    const { harness, anna, sessionId } = await ordinary()
    harness.jobs.isTranscriberThere = false
    await refuses(anna.execute('transcription.start', {}), 'transcription_unavailable')
    await refuses(harness.conferences.startTranscription(TAG, {}), 'transcription_unavailable')
    await anna.execute('transcription.stop', {})
    expect(harness.jobs.calls).toEqual([`stop transcribing ${sessionId}`])
  })

  it('X10 refuses a language that no transcriber recognises', async () => {
    const { harness, anna, sessionId } = await ordinary()
    await refuses(anna.execute('transcription.start', { language: 'xx' }), 'language_unavailable')
    await refuses(harness.conferences.startTranscription(TAG, { language: 'xx' }), 'language_unavailable')
    expect(harness.jobs.calls).toEqual([])
    await anna.execute('transcription.start', { language: 'de' })
    expect(harness.jobs.calls).toEqual([`transcribe ${sessionId} de`])
  })

  it('X3 is part of the state, and published when it changes', async () => {
    const { harness, sessionId } = await ordinary()
    const isShown = () => harness.registry.state(sessionId)?.state.transcription
    expect(isShown()).toBe(false)
    for (const active of [true, true, false, false, true]) harness.reports.setTranscription(sessionId, active)
    expect(isShown()).toBe(true)
    const published = harness.events.take()
    expect(namesOf(published)).toEqual(Array(3).fill('transcription.changed'))
    expect(published.map(({ body }) => body)).toEqual([{ active: true }, { active: false }, { active: true }])
  })

  it('X4 publishes each phrase once and in order, and keeps the newest hundred', async () => {
    const { harness, sessionId } = await ordinary()
    const all = Array.from({ length: 101 }, (_, i) => phrase(i + 1))
    harness.reports.addPhrases(sessionId, all.slice(0, 60))
    harness.reports.addPhrases(sessionId, all.slice(40))
    expect(harness.events.take().map(({ body }) => body)).toEqual(all.map(each => ({ phrase: each })))
    expect(harness.registry.state(sessionId)?.state.phrases).toEqual(all.slice(1))
    harness.reports.addPhrases(sessionId, [phrase(1, 'job_b')])
    expect(harness.events.take()).toHaveLength(1)
  })

  it('X4 publishes nothing after the end of the session', async () => {
    const { harness, anna, sessionId } = await ordinary()
    await anna.execute('conference.end', {})
    harness.events.take()
    harness.reports.setTranscription(sessionId, true)
    harness.reports.addPhrases(sessionId, [phrase(1)])
    expect(harness.events.take()).toEqual([])
  })
})
