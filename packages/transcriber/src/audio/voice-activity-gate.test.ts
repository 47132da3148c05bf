import { expect, it } from 'vitest'
import { durationMs, silence } from './samples.ts'
import { VoiceActivityGate } from './voice-activity-gate.ts'

const speech = (ms: number) => silence(ms).fill(3_000)

/** Milliseconds that pass, fed in chunks of 20 ms. */
function pass(gate: VoiceActivityGate, what: (ms: number) => Int16Array, ms: number): number {
  let passed = 0
  for (let at = 0; at < ms; at += 20) for (const each of gate.filter(what(20))) passed += durationMs(each)
  return passed
}

it('passes speech and the hangover after it', () => {
  const gate = new VoiceActivityGate()
  expect(pass(gate, speech, 1_000)).toBe(1_000)
  expect(pass(gate, silence, 10_000)).toBe(3_000)
})

it('passes no more silence when the phrase has ended', () => {
  const gate = new VoiceActivityGate()
  pass(gate, speech, 1_000)
  gate.phraseEnded()
  expect(pass(gate, silence, 600)).toBe(600)
  gate.phraseEnded()
  expect(pass(gate, silence, 1_000)).toBe(0)
  expect(pass(gate, speech, 500)).toBe(300 + 500)
})

it('drops everything of a silent speaker', () => {
  expect(pass(new VoiceActivityGate(), silence, 60_000)).toBe(0)
})

it('passes the pre-roll before speech', () => {
  const gate = new VoiceActivityGate()
  pass(gate, silence, 10_000)
  expect(gate.filter(speech(20)).reduce((ms, each) => ms + durationMs(each), 0)).toBe(320)
})
