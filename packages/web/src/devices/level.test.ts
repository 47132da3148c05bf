import { describe, expect, it } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { StoredDeviceChoice } from './device-choice.ts'
import { Input } from './input.ts'
import { Level } from './level.ts'
import { loudness } from './meter-track.ts'
import { FakeDevices } from './testing.ts'

function make() {
  const stored = new StoredValue('microphone', makeStorage)
  const microphone = new Input(
    'microphone',
    new FakeDevices('microphone one'),
    new StoredDeviceChoice(stored),
  )
  const meter = { active: 0, report: (_level: number) => {} }
  const level = new Level(microphone, (_track, report) => {
    meter.active++
    meter.report = report
    return () => meter.active--
  })
  return { microphone, level, meter }
}

describe('Level', () => {
  it('measures only while it has subscribers and the microphone is on', async () => {
    const { microphone, level, meter } = make()
    await microphone.turnOn()
    expect(meter.active).toBe(0)
    const unsubscribe = level.subscribe(() => {})
    expect(meter.active).toBe(1)
    microphone.turnOff()
    expect(meter.active).toBe(0)
    await microphone.turnOn()
    expect(meter.active).toBe(1)
    unsubscribe()
    expect(meter.active).toBe(0)
  })

  it('reports levels in steps, and silence when the microphone is turned off', async () => {
    const { microphone, level, meter } = make()
    await microphone.turnOn()
    level.subscribe(() => {})
    meter.report(0.512)
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
