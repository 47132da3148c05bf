import { testSeed } from '@lectern/common/testing'
import { describe, expect, it } from 'vitest'
import { describeRecovery, runChaos } from '../../support/chaos/run.ts'
import { useClusterStage, useSingleServerStage } from '../../support/chaos/stages.ts'

const KILLS = Number(process.env.LECTERN_KILLS ?? 10)
const KILLS_PER_LESSON = 5
const LIMIT_PER_KILL_MS = 60_000
/** On a busy machine one recovery may take long, and so do the recordings at the end. */
const LIMIT_OF_ALL_MS = 1_500_000
/** `npm run chaos -w bench -- --cluster` */
const ON_CLUSTER = process.env.LECTERN_CHAOS === 'cluster'

const stage = ON_CLUSTER ? useClusterStage() : useSingleServerStage({ isTranscribed: true })

describe(`kill -9 of random processes of ${ON_CLUSTER ? 'a cluster' : 'a single server'} during lessons`, () => {
  it(
    'loses, duplicates and reverts nothing',
    async () => {
      const seed = testSeed()
      const report = await runChaos(stage, { seed, kills: KILLS, killsPerLesson: KILLS_PER_LESSON })
      console.log(
        `${report.messages} messages, ${report.observations} observations\n${describeRecovery(report)}`,
      )
      expect(report.mistakes).toEqual([])
      expect(report.kills.length).toBe(KILLS)
      expect(stage.receiver.refused).toEqual([])
    },
    KILLS * LIMIT_PER_KILL_MS + LIMIT_OF_ALL_MS,
  )
})
