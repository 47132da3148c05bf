import { expect, it } from 'vitest'
import { Gate } from './gate.ts'
import { msOf, silence } from './samples.ts'

const speech = (ms: number) => silence(ms).fill(3_000)

/** Milliseconds that get through, of pieces of 20 ms. */
function pass(gate: Gate, what: (ms: number) => Int16Array, ms: number): number {
  let passed = 0
  for (let at = 0; at < ms; at += 20) for (const each of gate.pass(what(20))) passed += msOf(each)
  return passed
}

it('lets speech through, and as much silence as ends a phrase', () => {
  const gate = new Gate()
  expect(pass(gate, speech, 1_000)).toBe(1_000)
  expect(pass(gate, silence, 10_000)).toBe(3_000)
})

it('lets nothing through of who never speaks', () => {
  expect(pass(new Gate(), silence, 60_000)).toBe(0)
})

it('lets through what was just before somebody speaks', () => {
  const gate = new Gate()
  pass(gate, silence, 10_000)
  expect(gate.pass(speech(20)).reduce((ms, each) => ms + msOf(each), 0)).toBe(320)
})
