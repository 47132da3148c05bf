import { afterEach, describe, expect, it } from 'vitest'
import { makeStorage } from '../testing.ts'
import { Devices } from './devices.ts'
import type { NoiseSuppressor, SuppressorFailure } from './noise-suppressor.ts'
import { FakeDevices, FakeTrack } from './testing.ts'

/** A suppressor whose tracks have the name of their device. */
class FakeSuppressor implements NoiseSuppressor {
  failure: SuppressorFailure | null = null
  canSuppress = true
  closed = false
  readonly made: FakeTrack[] = []
  #listener: (isRunning: boolean) => void = () => {}

  load = async () => this.failure
  suppress = (device: MediaStreamTrack) => {
    if (!this.canSuppress) return null
    const made = new FakeTrack({ kind: 'microphone', id: 'made', label: `quiet ${device.label}` })
    this.made.push(made)
    return made as unknown as MediaStreamTrack
  }
  onChange(listener: (isRunning: boolean) => void) {
    this.#listener = listener
  }
  close = () => {
    this.closed = true
  }
  run(isRunning: boolean) {
    this.#listener(isRunning)
  }
}

let devices: Devices
afterEach(() => devices.close())

async function start(stored: Record<string, string> = {}, change: Partial<FakeSuppressor> = {}) {
  const port = new FakeDevices('camera one', 'microphone one')
  const suppressor = Object.assign(new FakeSuppressor(), change)
  const storage = makeStorage()
  for (const [key, value] of Object.entries(stored)) storage.setItem(`lectern.${key}`, value)
  devices = new Devices(
    port,
    () => () => {},
    () => storage,
    suppressor,
  )
  await devices.start()
  return { port, suppressor, storage }
}

const sent = () => {
  const state = devices.microphone.get()
  return state.is === 'on' ? state.track : null
}
const sentIs = (label: string) => expect.poll(() => sent()?.label, { interval: 2 }).toBe(label)
const fallback = () => devices.microphoneMode.get().fallback

describe('the mode of the microphone', () => {
  it('opens no microphone of somebody who has left while its suppression loads', async () => {
    const loading = Promise.withResolvers<null>()
    const { port } = await start({}, { load: () => loading.promise })
    const before = port.prompts.length
    devices.suppressNoise('strong')
    devices.close()
    loading.resolve(null)
    await loading.promise
    await new Promise(resolve => setTimeout(resolve))
    expect(port.prompts).toHaveLength(before)
  })

  it('is the suppression of the browser at first', async () => {
    const { port } = await start()
    expect(devices.microphoneMode.get()).toEqual({ noise: 'standard', isMusic: false, fallback: null })
    expect(port.processing).toEqual({
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
    })
    expect(sent()?.label).toBe('microphone one')
  })

  it('replaces the suppression of the browser by the strong one, and remembers that', async () => {
    const { port, storage } = await start()
    devices.suppressNoise('strong')
    await sentIs('quiet microphone one')
    expect(port.processing).toMatchObject({ noiseSuppression: false, echoCancellation: true })
    expect(storage.getItem('lectern.noise-suppression')).toBe('strong')
    devices.suppressNoise('off')
    await sentIs('microphone one')
    expect(port.processing).toMatchObject({ noiseSuppression: false })
  })

  it('sends music unprocessed and in stereo, whatever the suppression is', async () => {
    const { port, storage } = await start({ 'noise-suppression': 'strong' })
    await sentIs('quiet microphone one')
    devices.playMusic(true)
    await sentIs('microphone one')
    expect(port.processing).toEqual({
      echoCancellation: false,
      noiseSuppression: false,
      autoGainControl: false,
      channelCount: 2,
    })
    expect(sent()?.contentHint).toBe('music')
    expect(storage.getItem('lectern.music-mode')).toBe('on')
    devices.playMusic(false)
    await sentIs('quiet microphone one')
  })

  it.each(['unsupported', 'failed', 'waiting'] as const)(
    'falls back to the suppression of the browser, with the reason: %s',
    async failure => {
      const { port } = await start({ 'noise-suppression': 'strong' }, { failure })
      expect(port.processing).toMatchObject({ noiseSuppression: true })
      expect([sent()?.label, fallback()]).toEqual(['microphone one', failure])
    },
  )

  it('falls back when the track cannot be processed after all', async () => {
    await start({ 'noise-suppression': 'strong' }, { canSuppress: false })
    expect([sent()?.label, fallback()]).toEqual(['microphone one', 'failed'])
  })

  it('follows the browser, which processes audio only after a click, and may stop', async () => {
    const { suppressor } = await start({ 'noise-suppression': 'strong' }, { failure: 'waiting' })
    suppressor.run(true)
    expect([sent()?.label, fallback()]).toEqual(['quiet microphone one', null])
    suppressor.run(false)
    expect([sent()?.label, fallback()]).toEqual(['microphone one', 'waiting'])
  })

  it('mutes and ends the sent track together with the device', async () => {
    const { port, suppressor } = await start({ 'noise-suppression': 'strong' })
    const [made] = suppressor.made
    devices.microphone.turnOff()
    expect([made?.enabled, port.last('microphone')?.enabled]).toEqual([false, false])
    suppressor.run(false)
    suppressor.run(true)
    expect(devices.microphone.get()).toEqual({ is: 'off' })
    expect(suppressor.made.at(-1)?.enabled).toBe(false)
    await devices.microphone.turnOn()
    expect(suppressor.made.at(-1)?.enabled).toBe(true)
    devices.close()
    expect([suppressor.made.at(-1)?.readyState, port.live, suppressor.closed]).toEqual(['ended', [], true])
  })

  it('treats an unknown stored value as none', async () => {
    await start({ 'noise-suppression': 'loud', 'music-mode': '1' })
    expect(devices.microphoneMode.get()).toMatchObject({ noise: 'standard', isMusic: false })
  })
})
