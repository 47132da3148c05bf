import { Lifetime, WritableObservable } from '@lectern/common'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MediaState } from './media-connection.ts'
import type { RemoteTracks } from './remote-media.ts'
import { StallDetector } from './stall-detector.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A remote microphone, whose packets the test delivers, after others that have been silent for long. */
function observe(silent = 0) {
  let timestamp = 1
  const lastFrameTimestamp = vi.fn(() => timestamp)
  const silentTimestamp = vi.fn(() => 1)
  const track = { kind: 'audio' }
  const subscriptions = new Map([
    ...Array.from(
      { length: silent },
      (_, i) => [`silent-${i}`, { track, lastFrameTimestamp: silentTimestamp }] as const,
    ),
    ['mic', { track, lastFrameTimestamp }] as const,
  ])
  const media = new WritableObservable({
    is: 'open',
    endpoint: { subscriptions: { get: () => subscriptions } },
  } as unknown as MediaState)
  const microphone = (paused: boolean): RemoteTracks =>
    new Map([['anna', { microphone: { publicationId: 'mic', source: 'microphone', track: null, paused } }]])
  const remote = new WritableObservable(microphone(false))
  const onStall = vi.fn()
  const lifetime = new Lifetime()
  const detector = new StallDetector({ media, remote, onStall }, lifetime)
  return {
    detector,
    onStall,
    silentTimestamp,
    mute: () => remote.set(microphone(true)),
    reopen: () => media.set({ is: 'opening' }),
    close: () => lifetime.close(),
    /** Packets at the given interval. */
    flow: async (forMs: number, everyMs = 100) => {
      for (let ms = 0; ms < forMs; ms += everyMs) {
        timestamp += 1
        await vi.advanceTimersByTimeAsync(everyMs)
      }
    },
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

describe('StallDetector', () => {
  it('detects within half a second that speech has stopped, once, and when it resumes', async () => {
    const { detector, onStall, flow, pass, close } = observe()
    await flow(3_000)
    await pass(300)
    expect(detector.get()).toBe(false)
    await pass(300)
    expect(detector.get()).toBe(true)
    await pass(60_000)
    expect(onStall).toHaveBeenCalledTimes(1)
    await flow(200)
    expect(detector.get()).toBe(false)
    await close()
  })

  it('tolerates silence, which arrives every 400 ms', async () => {
    const { onStall, flow, pass, close } = observe()
    await flow(20_000, 400)
    expect(onStall).not.toHaveBeenCalled()
    await pass(2_000)
    expect(onStall).toHaveBeenCalledTimes(1)
    await close()
  })

  it('asks nobody else while one person speaks, and everybody when that person stops', async () => {
    const { onStall, silentTimestamp, flow, pass, close } = observe(5)
    await flow(1_000)
    silentTimestamp.mockClear()
    await flow(3_000)
    expect(silentTimestamp).not.toHaveBeenCalled()
    await pass(600)
    expect(silentTimestamp).toHaveBeenCalled()
    expect(onStall).toHaveBeenCalledTimes(1)
    await close()
  })

  it('expects nothing of the muted, nor before audio has flowed, nor without an endpoint', async () => {
    const { onStall, flow, pass, mute, reopen, close } = observe()
    await flow(500)
    await pass(5_000)
    await flow(3_000)
    mute()
    await pass(5_000)
    reopen()
    await pass(5_000)
    expect(onStall).not.toHaveBeenCalled()
    await close()
  })
})
