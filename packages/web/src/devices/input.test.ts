import { describe, expect, it } from 'vitest'
import { StoredValue } from '../stored-value.ts'
import { blockedStorage, makeStorage } from '../testing.ts'
import { StoredDeviceChoice } from './device-choice.ts'
import { Input } from './input.ts'
import type { InputKind } from './port.ts'
import { aDevice, FakeDevices } from './testing.ts'

function make(kind: InputKind, devices: FakeDevices, storage = makeStorage()) {
  const input = new Input(kind, devices, new StoredDeviceChoice(new StoredValue(kind, () => storage)))
  devices.onChange(() => void input.recheck())
  const on = () => {
    const state = input.get()
    if (state.is !== 'on') throw new Error(`it is ${JSON.stringify(state)}`)
    return { label: state.label, replaces: state.replaces, interrupted: state.interrupted }
  }
  const until = async (label: string) =>
    expect.poll(() => (input.get().is === 'on' ? on().label : null), { interval: 2 }).toBe(label)
  return { input, on, until, storage }
}

describe('a camera', () => {
  it("opens the browser's default device", async () => {
    const { input, on } = make('camera', new FakeDevices('camera one', 'camera two'))
    const turning = input.turnOn()
    expect(input.get()).toEqual({ is: 'requesting' })
    await turning
    expect(on()).toEqual({ label: 'camera one', replaces: null, interrupted: false })
  })

  it('is released while it is off', async () => {
    const devices = new FakeDevices('camera one')
    const { input } = make('camera', devices)
    await input.toggle()
    await input.toggle()
    expect(input.get()).toEqual({ is: 'off' })
    expect(devices.live).toEqual([])
  })

  it('releases a device that opens too late', async () => {
    const devices = new FakeDevices('camera one')
    const { input } = make('camera', devices)
    const turning = input.turnOn()
    input.turnOff()
    await turning
    expect(input.get()).toEqual({ is: 'off' })
    expect(devices.live).toEqual([])
  })

  it('asks once while the prompt of the browser has no answer yet', async () => {
    const devices = new FakeDevices('camera one')
    const { input, on } = make('camera', devices)
    await Promise.all([input.turnOn(), input.turnOn()])
    expect(devices.prompts).toHaveLength(1)
    expect(on().label).toBe('camera one')
  })

  it('switches devices, releasing the old one, and stores the choice', async () => {
    const devices = new FakeDevices('camera one', 'camera two')
    const { input, on, storage } = make('camera', devices)
    await input.turnOn()
    await input.choose(aDevice('camera two'))
    expect(on().label).toBe('camera two')
    expect(devices.live).toEqual(['camera two'])
    const later = make('camera', devices, storage)
    await later.input.turnOn()
    expect(later.on().label).toBe('camera two')
  })

  it('keeps the choice in memory where storage is blocked', async () => {
    const devices = new FakeDevices('camera one', 'camera two')
    const input = new Input(
      'camera',
      devices,
      new StoredDeviceChoice(new StoredValue('camera', blockedStorage)),
    )
    await input.choose(aDevice('camera two'))
    input.turnOff()
    await input.turnOn()
    expect(devices.live).toEqual(['camera two'])
  })

  it('falls back when the chosen device is missing, and returns when it is back', async () => {
    const devices = new FakeDevices('camera one', 'camera two')
    const { input, on, until } = make('camera', devices)
    await input.choose(aDevice('camera two'))
    await input.turnOn()
    devices.unplug('camera two')
    await until('camera one')
    expect(on().replaces).toBe('camera two')
    devices.plug('camera two')
    await until('camera two')
    expect(on().replaces).toBeNull()
    expect(devices.live).toEqual(['camera two'])
  })

  it('uses another device while the chosen one is in use', async () => {
    const devices = new FakeDevices('camera one', 'camera two', 'camera three')
    devices.taken.add('id of camera one').add('id of camera two')
    const { input, on } = make('camera', devices)
    await input.choose(aDevice('camera two'))
    await input.turnOn()
    expect(on()).toMatchObject({ label: 'camera three', replaces: 'camera two' })
  })

  it('is not interrupted by looking whether the chosen one is still in use', async () => {
    const devices = new FakeDevices('camera one', 'camera two')
    devices.taken.add('id of camera two')
    const { input, on, until } = make('camera', devices)
    await input.choose(aDevice('camera two'))
    await input.turnOn()
    const track = devices.last('camera')
    devices.changed()
    await new Promise(setImmediate)
    expect([on().label, track?.readyState]).toEqual(['camera one', 'live'])
    devices.taken.clear()
    devices.changed()
    await until('camera two')
    expect(devices.live).toEqual(['camera two'])
  })

  it('reports a device in use when there is no other', async () => {
    const devices = new FakeDevices('camera one')
    devices.taken.add('id of camera one')
    const { input, on } = make('camera', devices)
    await input.turnOn()
    expect(input.get()).toEqual({ is: 'failed', problem: 'in_use' })
    devices.taken.clear()
    await input.retry()
    expect(on().label).toBe('camera one')
  })

  it('reports a missing device until one is plugged in', async () => {
    const devices = new FakeDevices('microphone one')
    const { input, until } = make('camera', devices)
    await input.turnOn()
    expect(input.get()).toEqual({ is: 'failed', problem: 'missing' })
    devices.plug('camera new')
    await until('camera new')
  })

  it('does not prompt again after a refusal, until access is allowed', async () => {
    const devices = new FakeDevices('camera one')
    devices.permissions.camera = 'denied'
    const { input, until } = make('camera', devices)
    await input.turnOn()
    expect(input.get()).toEqual({ is: 'failed', problem: 'refused' })
    devices.changed()
    await new Promise(setImmediate)
    expect(devices.prompts).toHaveLength(1)
    devices.permissions.camera = 'granted'
    devices.changed()
    await until('camera one')
  })
})

describe('a microphone', () => {
  it('switches when it is unplugged, reports that, and returns to it', async () => {
    const devices = new FakeDevices('microphone headset', 'microphone built in')
    const { input, on, until } = make('microphone', devices)
    await input.turnOn()
    devices.unplug('microphone headset')
    await until('microphone built in')
    expect(on().replaces).toBe('microphone headset')
    devices.plug('microphone headset')
    await until('microphone headset')
    expect(on().replaces).toBeNull()
  })

  it('returns to it also when it is off meanwhile', async () => {
    const devices = new FakeDevices('microphone headset', 'microphone built in')
    const { input, on, until } = make('microphone', devices)
    await input.turnOn()
    devices.unplug('microphone headset')
    await until('microphone built in')
    input.turnOff()
    devices.plug('microphone headset')
    await new Promise(setImmediate)
    expect(input.get()).toEqual({ is: 'off' })
    await input.turnOn()
    expect(on()).toMatchObject({ label: 'microphone headset', replaces: null })
  })

  it('stays open but muted while it is off, and resumes at once', async () => {
    const devices = new FakeDevices('microphone one')
    const { input } = make('microphone', devices)
    await input.turnOn()
    input.turnOff()
    expect(devices.last('microphone')).toMatchObject({ enabled: false, readyState: 'live' })
    const turning = input.turnOn()
    expect(input.get().is).toBe('on')
    await turning
    expect(devices.last('microphone')?.enabled).toBe(true)
    expect(devices.prompts).toHaveLength(1)
  })

  it('stays off when it is unplugged while it is off', async () => {
    const devices = new FakeDevices('microphone one', 'microphone two')
    const { input, on } = make('microphone', devices)
    await input.turnOn()
    input.turnOff()
    devices.unplug('microphone one')
    expect(input.get()).toEqual({ is: 'off' })
    await input.turnOn()
    expect(on().label).toBe('microphone two')
  })

  it('reports an interruption by a phone call', async () => {
    const devices = new FakeDevices('microphone one')
    const { input, on } = make('microphone', devices)
    await input.turnOn()
    devices.last('microphone')?.interrupt(true)
    expect(on().interrupted).toBe(true)
    devices.last('microphone')?.interrupt(false)
    expect(on().interrupted).toBe(false)
  })

  it('is reopened when the page becomes visible and it is still interrupted', async () => {
    const devices = new FakeDevices('microphone one')
    const { input, on } = make('microphone', devices)
    await input.turnOn()
    devices.last('microphone')?.interrupt(true)
    devices.changed()
    await expect.poll(() => input.get().is === 'on' && on().interrupted).toBe(false)
    devices.last('microphone')?.interrupt(true)
    input.turnOff()
    await input.turnOn()
    expect(on().interrupted).toBe(false)
    expect(devices.live).toHaveLength(1)
  })

  it('releases the device when it is closed', async () => {
    const devices = new FakeDevices('microphone one')
    const { input } = make('microphone', devices)
    await input.turnOn()
    input.close()
    expect(devices.live).toEqual([])
  })
})
