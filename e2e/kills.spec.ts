import { expect, it } from 'vitest'
import { ChaosLesson } from './support/chaos/lesson.ts'
import { useSingleServerStage } from './support/chaos/stages.ts'

/** Nothing recovers after this time. */
const RECOVERED_WITHIN_MS = 300_000

/** Random ones, and more of them, are in endurance/chaos. */
const KILLS = ['recorder', 'media worker', 'server']

const stage = useSingleServerStage({ isTranscribed: false })

it('a recorded lesson survives kill -9 of its recorder, its media worker and its server: one session, one recording, one webhook, each message once', async () => {
  const lesson = await ChaosLesson.begin(stage, 'lesson')
  let failedMs = 0
  for (const kind of KILLS) {
    const from = Date.now()
    const victim = stage.deployment.victims().find(each => each.kind === kind)
    if (!victim) throw new Error(`no ${kind} is running`)
    await victim.kill()
    await lesson.waitForFlow(RECOVERED_WITHIN_MS)
    failedMs += Date.now() - from
    console.log(`${kind}: ${JSON.stringify(lesson.outageSince(from))}`)
  }
  expect(await lesson.end()).toEqual([])
  expect(await lesson.checkRecords({ failedMs, lostTranscribers: 0 })).toEqual([])
  expect(stage.receiver.refused).toEqual([])
  expect(stage.invariants.violations).toEqual([])
})
