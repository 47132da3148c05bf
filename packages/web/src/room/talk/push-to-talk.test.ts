import { describe, expect, it } from 'vitest'
import { Devices } from '../../devices/devices.ts'
import { FakeDevices } from '../../devices/testing.ts'
import { makeStorage } from '../../testing.ts'
import { createTestRoom } from '../testing.ts'

async function start() {
  const storage = makeStorage()
  const port = new FakeDevices('microphone')
  const devices = new Devices(
    port,
    () => () => {},
    () => storage,
  )
  const all = { ...createTestRoom({ devices }), devices }
  await all.devices.start({ camera: false, microphone: true })
  all.devices.microphone.turnOff()
  return { ...all, talk: all.room.pushToTalk, microphone: all.devices.microphone }
}

describe('PushToTalk', () => {
  it('does nothing until it is chosen, which is remembered', async () => {
    const { talk, microphone, storage } = await start()
    expect(talk.press()).toBe(false)
    expect(microphone.get().is).toBe('off')
    talk.setting.choose(true)
    expect(storage.getItem('push-to-talk')).toBe('on')
  })

  it('turns a muted microphone on while the key is held', async () => {
    const { talk, microphone } = await start()
    talk.setting.choose(true)
    expect(talk.press()).toBe(true)
    expect([talk.get(), microphone.get().is]).toEqual([true, 'on'])
    expect(talk.press()).toBe(true)
    talk.release()
    expect([talk.get(), microphone.get().is]).toEqual([false, 'off'])
  })

  it('leaves a microphone that is on as it is', async () => {
    const { talk, microphone } = await start()
    talk.setting.choose(true)
    await microphone.turnOn()
    expect(talk.press()).toBe(false)
    talk.release()
    expect(microphone.get().is).toBe('on')
  })

  it('mutes again when it is turned off, and at the end of the call', async () => {
    const { talk, microphone } = await start()
    talk.setting.choose(true)
    talk.press()
    talk.setting.choose(false)
    expect(microphone.get().is).toBe('off')
  })
})
