import { afterEach, describe, expect, it } from 'vitest'
import { makeStorage } from '../testing.ts'
import { Devices } from './devices.ts'
import { aDevice, FakeDevices } from './testing.ts'

let devices: Devices
afterEach(() => devices.close())

async function start(port: FakeDevices, storage = makeStorage()) {
  devices = new Devices(
    port,
    () => () => {},
    () => storage,
  )
  await devices.start()
  return { camera: devices.camera.get(), microphone: devices.microphone.get() }
}

describe('Devices', () => {
  it('opens camera and microphone with one prompt', async () => {
    const port = new FakeDevices('camera one', 'microphone one')
    const { camera, microphone } = await start(port)
    expect([camera.is, microphone.is]).toEqual(['on', 'on'])
    expect(port.prompts).toEqual([['camera', 'microphone']])
  })

  it('opens the other device where one is blocked already', async () => {
    const port = new FakeDevices('camera one', 'microphone one')
    port.permissions.camera = 'denied'
    const { camera, microphone } = await start(port)
    expect(camera).toEqual({ is: 'failed', problem: 'refused' })
    expect(microphone.is).toBe('on')
  })

  it('does not prompt again after a refusal', async () => {
    const port = new FakeDevices('camera one', 'microphone one')
    port.permissions.camera = 'prompt'
    port.permissions.microphone = 'prompt'
    port.answer = 'denied'
    const { camera, microphone } = await start(port)
    expect([camera, microphone]).toEqual([
      { is: 'failed', problem: 'refused' },
      { is: 'failed', problem: 'refused' },
    ])
    expect(port.prompts).toHaveLength(1)
  })

  it('opens the microphone where there is no camera', async () => {
    const { camera, microphone } = await start(new FakeDevices('microphone one'))
    expect(camera).toEqual({ is: 'failed', problem: 'missing' })
    expect(microphone.is).toBe('on')
  })

  it('opens the camera where the system blocks the microphone', async () => {
    const port = new FakeDevices('camera one', 'microphone one')
    port.taken.add('id of microphone one')
    const { camera, microphone } = await start(port)
    expect(camera.is).toBe('on')
    expect(microphone).toEqual({ is: 'failed', problem: 'in_use' })
  })

  it('releases all devices when it is closed', async () => {
    const port = new FakeDevices('camera one', 'microphone one')
    await start(port)
    devices.close()
    port.changed()
    expect(port.live).toEqual([])
  })
})

describe('the speaker', () => {
  it('uses the chosen device while it is available', async () => {
    const port = new FakeDevices('camera one', 'microphone one', 'speaker one', 'speaker two')
    await start(port)
    await expect.poll(() => devices.list.get().speaker).toHaveLength(2)
    devices.speaker.choose(aDevice('speaker two'))
    expect(devices.speaker.get()).toEqual({ id: 'id of speaker two', replaces: null })
    port.unplug('speaker two')
    await expect.poll(() => devices.speaker.get()).toEqual({ id: '', replaces: 'speaker two' })
    port.plug('speaker two')
    await expect.poll(() => devices.speaker.get()).toEqual({ id: 'id of speaker two', replaces: null })
    devices.speaker.choose({ id: '', label: '' })
    expect(devices.speaker.get()).toEqual({ id: '', replaces: null })
  })
})
