import { describe, expect, it } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { StoredDeviceChoice } from './device-choice.ts'
import { Input } from './input.ts'
import { Level } from './level.ts'
import { loudness } from './meter-track.ts'
import { FakeDevices } from './testing.ts'

function make() {
  const kept = new StoredValue('microphone', makeStorage)
  const microphone = new Input('microphone', new FakeDevices('microphone one'), new StoredDeviceChoice(kept))
  const heard = { listening: 0, tell: (_level: number) => {} }
  const level = new Level(microphone, (_track, tell) => {
    heard.listening++
    heard.tell = tell
    return () => heard.listening--
  })
  return { microphone, level, heard }
}

describe('Level', () => {
  it('measures only while it has subscribers and the microphone is on', async () => {
    const { microphone, level, heard } = make()
    await microphone.turnOn()
    expect(heard.listening).toBe(0)
    const look = level.subscribe(() => {})
    expect(heard.listening).toBe(1)
    microphone.turnOff()
    expect(heard.listening).toBe(0)
    await microphone.turnOn()
    expect(heard.listening).toBe(1)
    look()
    expect(heard.listening).toBe(0)
  })

  it('reports levels in steps, and silence when the microphone is turned off', async () => {
    const { microphone, level, heard } = make()
    await microphone.turnOn()
    level.subscribe(() => {})
    heard.tell(0.512)
    expect(level.get()).toBe(0.5)
    microphone.turnOff()
    expect(level.get()).toBe(0)
  })
})

describe('loudness', () => {
  const tone = (amplitude: number) =>
    Float32Array.from({ length: 1000 }, (_, i) => amplitude * (i % 2 ? 1 : -1))

  it('maps the audible range to 0 to 1', () => {
    expect(loudness(tone(0))).toBe(0)
    expect(loudness(tone(1))).toBe(1)
    expect(loudness(tone(0.001))).toBeCloseTo(0)
    expect(loudness(tone(0.0316))).toBeCloseTo(0.5, 2)
  })
})
