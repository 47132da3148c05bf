import type { Phrase } from '@lectern/protocol/control/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from './testing/call-harness.ts'
import { aSession } from './testing/session.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const aPhrase = (number: number, text = `phrase ${number}`): Phrase => ({
  phrase_id: `job.${number}`,
  participant_id: 'teacher',
  user_id: '8',
  display_name: 'Ben',
  text,
  at_ms: number * 1000,
})

async function listening() {
  const harness = createCallHarness()
  await harness.enter()
  const { transcript } = harness.call
  const texts = () => transcript.get().phrases.map(({ text }) => text)
  const partials = () => Object.fromEntries(transcript.get().partials)
  return { ...harness, transcript, texts, partials }
}

it('keeps earlier phrases, also when the server has dropped them', async () => {
  const { control, texts } = await listening()
  control.updateSession({ phrases: [aPhrase(1), aPhrase(2)] })
  control.updateSession({ phrases: [aPhrase(2), aPhrase(3)] })
  expect(texts()).toEqual(['phrase 1', 'phrase 2', 'phrase 3'])
  control.updateSession({ phrases: [] })
  expect(texts()).toHaveLength(3)
})

it('starts empty with another session', async () => {
  const { control, texts } = await listening()
  control.updateSession({ phrases: [aPhrase(1)] })
  control.updateSession({ conference_session_id: '2', phrases: [aPhrase(5)] })
  expect(texts()).toEqual(['phrase 5'])
})

it('knows the phrases that have just arrived, whatever their clock says, and none from before the join', async () => {
  const { control, call } = createCallHarness()
  control.handlers['conference.join'] = () => {
    control.view.set({ ...aSession('p1'), phrases: [aPhrase(1)] })
    return { conference_session_id: '1', participant_id: 'p1', role: 'participant' }
  }
  call.open()
  await settle()
  const recent = () => call.transcript.get().recent.map(({ text }) => text)
  expect([call.transcript.get().phrases.length, recent()]).toEqual([1, []])
  control.updateSession({ phrases: [aPhrase(1), aPhrase(2)] })
  await vi.advanceTimersByTimeAsync(4_000)
  control.updateSession({ phrases: [aPhrase(1), aPhrase(2), { ...aPhrase(3), at_ms: 4e12 }] })
  expect(recent()).toEqual(['phrase 2', 'phrase 3'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(recent()).toEqual(['phrase 3'])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(recent()).toEqual([])
})

it('shows a partial phrase until it is final, withdrawn or expired', async () => {
  const { control, partials } = await listening()
  const emitPartial = (text: string) =>
    control.emitSignal('transcription.partial', 'teacher', { text }, 3_000)
  emitPartial('go')
  emitPartial('go forward')
  expect(partials()).toEqual({ teacher: 'go forward' })
  control.emitEvent('transcription.phrase', { phrase: aPhrase(1, 'Go forward.') })
  expect(partials()).toEqual({})
  emitPartial('again')
  emitPartial('')
  expect(partials()).toEqual({})
  emitPartial('and')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(partials()).toEqual({})
})
