import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinCall } from '../testing/call-harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const good = { received: 'all', sendsTooSlowly: false, losesPackets: false, wasInterrupted: false }
/** A video that sends a share of what it may, over two measurements and more. */
const videoThatUses = (share: number) => ({
  get videos() {
    const seconds = Date.now() / 1_000
    return [{ id: 'v', atMs: Date.now(), bytes: seconds * 10_000 * share, targetBps: 80_000 }]
  },
})

const rest = { sendableBps: null, isEncoderBusy: false, sentLoss: 0, audio: [] }
const unlimited = { ...rest, videos: [] }

/** Passes seconds, in each of which something happens. */
async function pass(seconds: number, each: () => void = () => {}) {
  for (let second = 0; second < seconds; second++) {
    each()
    await vi.advanceTimersByTimeAsync(1_000)
  }
}

describe('NetworkQuality', () => {
  it.each([
    [{ camera: 'none', screen: 'full' }, 'screen'],
    [{ camera: 'none', screen: 'reduced' }, 'screen'],
    [{ camera: 'none', screen: null }, 'audio'],
    [{ camera: 'none', screen: 'none' }, 'audio'],
    [{ camera: null, screen: 'none' }, 'audio'],
    [{ camera: 'full', screen: 'none' }, 'some'],
    [{ camera: 'partial', screen: 'full' }, 'some'],
    [{ camera: 'reduced', screen: 'full' }, 'reduced'],
    [{ camera: 'full', screen: 'reduced' }, 'reduced'],
  ])('reports what the server omits: %j is %s', async (body, received) => {
    const { call, control } = await joinCall()
    await pass(12, () => control.emitSignal('media.reception', 'server', body, 3_000))
    expect(call.network.get()).toEqual({ ...good, received })
    // Without signals the limit is over, even if the last one was lost.
    await pass(8)
    expect(call.network.get()).toEqual(good)
  })

  it('ignores limits that do not last, as at the beginning of a video', async () => {
    const { call, control } = await joinCall()
    await pass(1, () =>
      control.emitSignal('media.reception', 'server', { camera: 'none', screen: null }, 3_000),
    )
    await pass(5, () =>
      control.emitSignal('media.reception', 'server', { camera: 'reduced', screen: null }, 3_000),
    )
    expect(call.network.get()).toEqual(good)
    await pass(8)
    expect(call.network.get()).toEqual(good)
  })

  it('detects insufficient upload bandwidth, and pauses the camera while a screen is shared', async () => {
    const { call, camera, transports, control } = await joinCall()
    camera.turnOn()
    transports.statistics = Object.assign(videoThatUses(0.9), { ...rest, sendableBps: 150_000 })
    await pass(10)
    expect(call.network.get()).toEqual({ ...good, sendsTooSlowly: true })
    expect(call.local.isCameraHeld.get()).toBe(false)
    await call.local.screenShare.start()
    await pass(1)
    expect(call.local.isCameraHeld.get()).toBe(true)
    expect(transports.isSending).toBe(false)
    expect(control.bodies('media.pause')).toHaveLength(1)
    transports.statistics = { ...unlimited, sendableBps: 200_000 }
    await pass(10)
    expect(call.local.isCameraHeld.get()).toBe(true)
    transports.statistics = { ...unlimited, sendableBps: 900_000 }
    await pass(10)
    expect(call.network.get()).toEqual(good)
    expect(call.local.isCameraHeld.get()).toBe(false)
    expect(control.bodies('media.resume')).toHaveLength(1)
  })

  it('does not treat a low estimate as a slow connection while no video is affected, as with a still image', async () => {
    const { call, camera, transports } = await joinCall()
    camera.turnOn()
    transports.statistics = Object.assign(videoThatUses(0.1), { ...rest, sendableBps: 50_000 })
    await pass(12)
    expect(call.network.get()).toEqual(good)
    await call.local.screenShare.start()
    await pass(12)
    expect(call.local.isCameraHeld.get()).toBe(false)
  })

  it('ignores the estimate while no video is sent', async () => {
    const { call, transports } = await joinCall()
    transports.statistics = Object.assign(videoThatUses(1), { ...rest, sendableBps: 50_000 })
    await pass(12)
    expect(call.network.get()).toEqual(good)
  })

  it('detects lasting losses in either direction', async () => {
    const { call, transports } = await joinCall()
    let received = 0
    let lost = 0
    const measure = (share: number, sentLoss: number) => {
      received += 100 * (1 - share)
      lost += 100 * share
      transports.statistics = { ...unlimited, sentLoss, audio: [{ id: 'a', received, lost }] }
    }
    await pass(20, () => measure(0.01, 0.01))
    expect(call.network.get()).toEqual(good)
    await pass(20, () => measure(0.06, 0))
    expect(call.network.get()).toEqual({ ...good, losesPackets: true })
    await pass(30, () => measure(0, 0))
    expect(call.network.get()).toEqual(good)
    await pass(20, () => measure(0, 0.06))
    expect(call.network.get()).toEqual({ ...good, losesPackets: true })
  })

  it('goes on measuring losses after somebody whose packets were counted has left', async () => {
    const { call, transports } = await joinCall()
    const left = { id: 'left', received: 100_000, lost: 0 }
    let lost = 0
    const measure = (...others: (typeof left)[]) => {
      lost += 6
      const audio = [...others, { id: 'a', received: lost * 16, lost }]
      transports.statistics = { ...unlimited, audio }
    }
    await pass(4, () => measure(left))
    await pass(30, () => measure())
    expect(call.network.get()).toEqual({ ...good, losesPackets: true })
  })

  it('forgets losses once nobody speaks any more', async () => {
    const { call, transports } = await joinCall()
    let lost = 0
    await pass(30, () => {
      lost += 6
      transports.statistics = { ...unlimited, audio: [{ id: 'a', received: lost * 16, lost }] }
    })
    expect(call.network.get()).toEqual({ ...good, losesPackets: true })
    await pass(40)
    expect(call.network.get()).toEqual(good)
  })
})
