import { expect, it } from 'vitest'
import { ChaosLesson } from './support/chaos/lesson.ts'
import { useClusterStage } from './support/chaos/stages.ts'

/** Nothing recovers after this time. */
const RECOVERED_WITHIN_MS = 300_000

const stage = useClusterStage({ servers: 2, mediaNodes: 1, recorders: 1 })

/** Losses of everything else are in endurance/cluster. */
it('a lesson whose teacher and student are on different servers goes on, without an interruption of its media, when its owner is killed', async () => {
  const lesson = await ChaosLesson.begin(stage, 'lesson')
  await lesson.waitForFlow(RECOVERED_WITHIN_MS)
  const before = await lesson.readContinuity()
  const from = Date.now()
  const owner = await stage.cluster().ownerOf(lesson.tag)
  await owner.node.kill()
  await lesson.waitForFlow(RECOVERED_WITHIN_MS)
  const failedMs = Date.now() - from
  expect((await stage.cluster().ownerOf(lesson.tag)).name).not.toBe(owner.name)
  expect(await lesson.readContinuity()).toEqual(before)
  expect(await lesson.end()).toEqual([])
  expect(await lesson.checkRecords({ failedMs, lostTranscribers: 0 })).toEqual([])
  expect(stage.receiver.refused).toEqual([])
  expect(stage.invariants.violations).toEqual([])
})
