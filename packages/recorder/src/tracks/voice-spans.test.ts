import { describe, expect, it } from 'vitest'
import { VoiceSpans } from './voice-spans.ts'

describe('the spans of speech of a microphone', () => {
  it('bridge short pauses and separate long ones', () => {
    const voice = new VoiceSpans()
    for (const at of [0, 20, 40, 1_000, 5_000]) voice.add(at, at + 20)
    expect(voice.all).toEqual([
      { fromMs: 0, toMs: 1_020 },
      { fromMs: 5_000, toMs: 5_020 },
    ])
    expect(voice.talkMs).toBe(1_040)
  })

  it('are bounded in a session of days, without counting more speech than there was', () => {
    const voice = new VoiceSpans()
    const count = 20_000
    for (let at = 0; at < count; at++) voice.add(at * 3_000, at * 3_000 + 500)
    expect(voice.all.length).toBeLessThanOrEqual(5_000)
    expect(voice.all.at(-1)?.toMs).toBe((count - 1) * 3_000 + 500)
    expect(voice.talkMs).toBe(count * 500)
  })
})
