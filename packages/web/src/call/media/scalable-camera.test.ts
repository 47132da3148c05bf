import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCallHarness, settle } from '../testing/call-harness.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function joined(can = true) {
  const harness = createCallHarness({ canScaleCamera: async () => can })
  await harness.enter()
  harness.camera.turnOn()
  harness.microphone.turnOn()
  await settle()
  const cameraOffers = () => harness.control.offers.filter(({ body }) => body.source === 'camera')
  return { ...harness, cameraOffers, isScalable: () => harness.transports.isScalable }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('ScalableCamera', () => {
  it('sends spatial layers where the machine encodes them without effort', async () => {
    const { camera, control, isScalable } = await joined(true)
    expect(control.offers).toHaveLength(2)
    camera.turnOff()
    await settle()
    camera.turnOn()
    await settle()
    expect(isScalable()).toBe(true)
    const other = await joined(false)
    expect(other.isScalable()).toBe(false)
  })

  it('publishes without them, under the same id, once somebody cannot decode them', async () => {
    const { control, cameraOffers, isScalable, camera } = await joined()
    const [first] = cameraOffers()
    for (let time = 0; time < 3; time++) {
      control.emitSignal('media.undecodable', 'server', { publication_id: 'any' }, 3_000)
      await pass(1_000)
    }
    expect(cameraOffers()).toHaveLength(2)
    expect(cameraOffers()[1]?.media.publication_id).toBe(first?.media.publication_id)
    expect(isScalable()).toBe(false)
    camera.turnOff()
    await settle()
    camera.turnOn()
    await settle()
    expect(isScalable()).toBe(false)
  })

  it('publishes without them once the processor has been too slow for some seconds', async () => {
    const { cameraOffers, isScalable, transports } = await joined()
    transports.statistics = { ...transports.statistics, isEncoderBusy: true }
    await pass(4_000)
    transports.statistics = { ...transports.statistics, isEncoderBusy: false }
    await pass(10_000)
    expect(cameraOffers()).toHaveLength(1)
    transports.statistics = { ...transports.statistics, isEncoderBusy: true }
    await pass(10_000)
    expect(cameraOffers()).toHaveLength(2)
    expect(isScalable()).toBe(false)
  })
})
