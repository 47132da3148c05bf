import { afterEach, describe, expect, it } from 'vitest'
import { makeStorage } from '../../testing.ts'
import { Devices } from '../devices.ts'
import { noSuppressor } from '../noise-suppressor.ts'
import { FakeDevices, FakeTrack } from '../testing.ts'
import type { Cover } from './choice.ts'
import type { BackgroundEffect, EffectProblem } from './effect.ts'

/** An effect whose tracks have the name of their device and cover; each start waits for the test. */
class FakeEffect implements BackgroundEffect {
  readonly starts: {
    cover: Cover
    made: FakeTrack
    ready(): void
    break(): void
    report(problem: EffectProblem): void
  }[] = []
  readonly changes: Cover[] = []
  isSupported = () => true

  start = (device: MediaStreamTrack, cover: Cover, report: (problem: EffectProblem) => void) => {
    const made = new FakeTrack({ kind: 'camera', id: 'made', label: `${cover} ${device.label}` })
    return new Promise<{ track: MediaStreamTrack; change(cover: Cover): void }>((resolve, reject) => {
      const track = made as unknown as MediaStreamTrack
      const ready = () => resolve({ track, change: next => this.changes.push(next) })
      this.starts.push({ cover, made, ready, break: () => reject(new Error('broken')), report })
    })
  }

  get last() {
    const last = this.starts.at(-1)
    if (!last) throw new Error('nothing has started')
    return last
  }
}

let devices: Devices
afterEach(() => devices.close())

/** With a choice of an earlier visit, while the camera opens. */
async function open(stored?: string) {
  const port = new FakeDevices('camera one', 'camera two')
  const effect = new FakeEffect()
  const storage = makeStorage()
  if (stored) storage.setItem('lectern.background', stored)
  devices = new Devices(
    port,
    () => () => {},
    () => storage,
    noSuppressor,
    effect,
  )
  /** Every track that anybody could have sent. */
  const sent: string[] = []
  devices.camera.subscribe(() => {
    const state = devices.camera.get()
    if (state.is === 'on' && sent.at(-1) !== state.track.label) sent.push(state.track.label)
  })
  const turningOn = devices.start({ camera: true, microphone: false })
  if (stored && stored !== 'off') await expect.poll(() => effect.starts.length, { interval: 2 }).toBe(1)
  else await turningOn
  return { port, effect, storage, sent }
}
const { poll } = expect
const camera = () => devices.camera.get()
const sentIs = (label: string) =>
  poll(
    () => {
      const state = camera()
      return state.is === 'on' && state.track.label
    },
    { interval: 2 },
  ).toBe(label)

describe('the background of the camera', () => {
  it('costs nothing while it is off', async () => {
    const { effect, sent } = await open()
    expect(effect.starts).toEqual([])
    expect(sent).toEqual(['camera one'])
  })

  it('is remembered, and the room is not sent before it is there', async () => {
    const { effect, sent } = await open('strong')
    expect(camera()).toEqual({ is: 'requesting', isProcessing: true })
    effect.last.ready()
    await sentIs('strong camera one')
    expect(sent).toEqual(['strong camera one'])
  })

  it('ends the video of the room at once when it is chosen, and keeps the device open', async () => {
    const { port, effect, storage, sent } = await open()
    const room = port.last('camera')
    devices.changeBackground('light')
    expect(room?.readyState).toBe('ended')
    await poll(() => effect.starts.length, { interval: 2 }).toBe(1)
    effect.last.ready()
    await sentIs('light camera one')
    expect(sent).toEqual(['camera one', 'light camera one'])
    expect(port.prompts).toHaveLength(1)
    expect(storage.getItem('lectern.background')).toBe('light')
  })

  it('is exchanged for another without an interruption', async () => {
    const { effect } = await open('light')
    devices.changeBackground('dusk')
    effect.last.ready()
    await poll(() => effect.changes, { interval: 2 }).toEqual(['dusk'])
    devices.changeBackground('own')
    await poll(() => effect.changes, { interval: 2 }).toEqual(['dusk', 'own'])
    expect(effect.starts).toHaveLength(1)
  })

  it('is there again before another device is sent', async () => {
    const { port, effect, sent } = await open('strong')
    effect.last.ready()
    await sentIs('strong camera one')
    const first = effect.last.made
    void devices.camera.choose({ id: 'id of camera two', label: 'camera two' })
    await poll(() => effect.starts.length, { interval: 2 }).toBe(2)
    expect(first.readyState).toBe('ended')
    effect.last.ready()
    await sentIs('strong camera two')
    expect(sent).toEqual(['strong camera one', 'strong camera two'])
    expect(port.live).toEqual(['camera two'])
  })

  it('shows the room when it is turned off, also while it starts', async () => {
    const { effect } = await open('strong')
    devices.changeBackground('off')
    await sentIs('camera one')
    effect.last.ready()
    await poll(() => effect.last.made.readyState, { interval: 2 }).toBe('ended')
    await sentIs('camera one')
  })

  it('stops the camera when it does not start, and shows the room only when the user says so', async () => {
    const { port, effect, sent } = await open('strong')
    effect.last.break()
    await poll(camera, { interval: 2 }).toEqual({ is: 'failed', problem: 'background_failed' })
    expect(port.live).toEqual([])
    port.changed()
    await new Promise(setImmediate)
    expect([camera().is, sent]).toEqual(['failed', []])
    devices.changeBackground('off')
    await sentIs('camera one')
  })

  it('stops the camera when the machine is too slow for it', async () => {
    const { port, effect } = await open('strong')
    effect.last.ready()
    await sentIs('strong camera one')
    effect.last.report('background_slow')
    expect(camera()).toEqual({ is: 'failed', problem: 'background_slow' })
    expect(effect.last.made.readyState).toBe('ended')
    expect(port.live).toEqual([])
  })

  it('stops with the camera, also while it starts', async () => {
    const { port, effect } = await open('strong')
    devices.camera.turnOff()
    effect.last.ready()
    await poll(() => effect.last.made.readyState, { interval: 2 }).toBe('ended')
    effect.last.report('background_slow')
    expect(camera()).toEqual({ is: 'off' })
    expect(port.live).toEqual([])
  })
})
