import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, signInAs } from './support/accounts.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { singleMachine } from './support/chaos/deployment.ts'
import { Invariants } from './support/chaos/invariants.ts'
import type { Stage } from './support/chaos/lesson.ts'
import { describeRecovery, runChaos } from './support/chaos/run.ts'
import { useFolders } from './support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { useMembers } from './support/members.ts'
import { useWebhookReceiver } from './support/webhook-receiver.ts'

const KILLS = Number(process.env.LECTERN_KILLS ?? 10)
const KILLS_PER_LESSON = 5
const LIMIT_PER_KILL_MS = 60_000

const dataFolder = useFolders()()
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_SERVER_DATA_DIR: dataFolder,
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_WORKERS: '1',
  SVC_RECORDER_EMBEDDED: '1',
  SVC_TRANSCRIBER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const receiver = useWebhookReceiver()
const openTab = useBrowser(FAKE_DEVICES)
const enter = useMembers()
const stage = {
  deployment: singleMachine(lectern, dataFolder),
  invariants: new Invariants(),
  receiver,
  openTab,
  enter,
} as Stage

beforeAll(async () => {
  stage.partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  stage.entries = [lectern.url, lectern.url]
  await stage.partner.setWebhook(receiver.webhook())
  const { access_token } = await signInAs(lectern, await addUser(lectern, 'admin', '--capability', 'admin'))
  stage.transcribe = async tag => {
    const response = await fetch(`${lectern.url}/api/v1.0/admin/conferences/${tag}/transcription`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ action: 'start' }),
    })
    expect(response.status).toBe(200)
  }
})

describe('kill -9 of random processes of a single server during lessons', () => {
  it(
    'loses and duplicates nothing, and nothing goes backwards',
    async () => {
      const seed = Number(process.env.LECTERN_SEED ?? Math.floor(Math.random() * 2 ** 31))
      console.log(`LECTERN_SEED=${seed}`)
      const report = await runChaos(stage, { seed, kills: KILLS, killsPerLesson: KILLS_PER_LESSON })
      console.log(
        `${report.messages} messages, ${report.observations} observations\n${describeRecovery(report)}`,
      )
      expect(report.mistakes).toEqual([])
      expect(report.kills.length).toBe(KILLS)
      expect(receiver.refused).toEqual([])
    },
    KILLS * LIMIT_PER_KILL_MS,
  )
})
