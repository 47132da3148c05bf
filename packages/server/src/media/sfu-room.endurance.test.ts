import { expect, it } from 'vitest'
import type { MediaWorker } from './media-worker.ts'
import { SfuTestHarness } from './testing/harness.ts'

it('an SfuRoom does not leak memory over two hundred openings and closings', async () => {
  const harness = await SfuTestHarness.open()
  const node = harness.sfu.workers.alive[0] as MediaWorker
  const hundred = async () => {
    for (let sessionId = 0; sessionId < 100; sessionId++) {
      const anna = await harness.participant('anna', sessionId).enter()
      await anna.publish('cam-1', 'camera')
      harness.media.closeRoom(sessionId)
    }
    return (await node.worker.getResourceUsage()).ru_maxrss
  }
  const grown = -(await hundred()) + (await hundred())
  expect(grown).toBeLessThan(4096) // KiB
  await harness.stop()
})
