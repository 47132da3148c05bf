import { expect, it } from 'vitest'
import { Transcript } from './transcript.ts'

const anna = { participantId: '42.1.1', userId: '7', name: 'Anna' }
const ben = { participantId: '42.1.2', userId: '8', name: 'Ben' }
const engine = { name: 'vosk', language: 'en-US' }
const nothing = { droppedMs: 0, droppedPartials: 0 }
const end = { reason: 'stopped', atMs: 9_000 } as const

it('lists phrases with their speakers in order', () => {
  const transcript = new Transcript(1_000)
  expect(transcript.add(anna, 'hello', false, 2_000)).toEqual([
    { seq: 1, participant_id: '42.1.1', user_id: '7', display_name: 'Anna', text: 'hello', at_ms: 2_000 },
  ])
  transcript.add(ben, 'good mor', true, 3_000)
  expect(transcript.document(end, engine, nothing)).toEqual({
    status: 'completed',
    language: 'en-US',
    engine: 'vosk',
    started_at_ms: 1_000,
    ended_at_ms: 9_000,
    reason: 'stopped',
    text: 'hello\ngood mor',
    segments: [
      {
        seq: 1,
        at: 2_000,
        speaker: { client_id: 7, device_id: 1, name: 'Anna' },
        text: 'hello',
        partial: false,
      },
      {
        seq: 2,
        at: 3_000,
        speaker: { client_id: 8, device_id: 2, name: 'Ben' },
        text: 'good mor',
        partial: true,
      },
    ],
    degraded: null,
  })
})

it('is empty without speech', () => {
  expect(new Transcript(1).document(end, engine, nothing)).toMatchObject({ text: '', segments: [] })
})

it('reports dropped audio', () => {
  const dropped = { droppedMs: 1_500.4, droppedPartials: 3 }
  expect(new Transcript(1).document(end, engine, dropped)).toMatchObject({
    status: 'incomplete',
    degraded: { skipped_ms: 1_500, held_back_partials: 3 },
  })
})

it('splits long phrases without losing words', () => {
  const words = Array.from({ length: 1_500 }, (_, i) => `w${i}`).join(' ')
  const phrases = new Transcript(1).add(anna, words, false, 1)
  expect(phrases.length).toBeGreaterThan(3)
  for (const { text } of phrases) expect(text.length).toBeLessThanOrEqual(2_000)
  expect(phrases.map(({ text }) => text).join(' ')).toBe(words)
})

it('splits text without spaces between code points', () => {
  const phrases = new Transcript(1).add(anna, '😀'.repeat(2_001), false, 1)
  expect(phrases.map(({ text }) => [...text].length)).toEqual([2_000, 1])
})
