import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { Invariants } from './support/chaos/invariants.ts'
import { ChaosLesson, type Stage } from './support/chaos/lesson.ts'
import { clusterDeployment } from './support/cluster/deployment.ts'
import { useCluster } from './support/cluster/use-cluster.ts'
import { PLAIN_LINK_OPEN } from './support/lectern.ts'
import { Member } from './support/members.ts'
import { type TcpProxy, useProxies } from './support/proxy.ts'
import { useWebhookReceiver } from './support/webhook-receiver.ts'

/** A generous limit: how long recovery takes is printed, not asserted. */
const RECOVERED_WITHIN_MS = 45_000
const AWAY_MS = 5_000
const PARTITION_MS = 10_000

const makeProxy = useProxies()
/** What other servers reach each server through. */
const links = new Map<string, TcpProxy>()
const getCluster = useCluster({
  servers: 3,
  mediaNodes: 2,
  recorders: 2,
  settings: {
    ...PLAIN_LINK_OPEN,
    SVC_LIMITS_ENABLED: '0',
    SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '60',
    SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
  },
  settingsOf: async ({ name, url }) => {
    const link = links.get(name) ?? (await makeProxy(url))
    links.set(name, link)
    return { SVC_CLUSTER_ADVERTISE: link.url }
  },
})
const receiver = useWebhookReceiver()
const openTab = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
/** They stay from test to test; the lesson ends them. */
const enter: Stage['enter'] = options => new Member(options)

const invariants = new Invariants()
let stage: Stage
let lesson: ChaosLesson
let failedMs = 0
let polling: ReturnType<typeof setInterval>

beforeAll(async () => {
  const cluster = getCluster()
  const partner = cluster.partner(await cluster.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
  const deployment = clusterDeployment(cluster)
  const entries: Stage['entries'] = [await cluster.entryAt(0), await cluster.entryAt(1)]
  stage = { partner, deployment, invariants, receiver, openTab, enter, entries }
  polling = setInterval(() => void checkSessions(), 200)
}, 180_000)
afterAll(() => clearInterval(polling))

/** Each test continues the lesson of the one before. */
let hasFailed = false
beforeEach(context => context.skip(hasFailed, 'the lesson has failed before'))
afterEach(({ task }) => {
  hasFailed ||= task.result?.state === 'fail'
})

async function checkSessions(): Promise<void> {
  for (const row of await stage.deployment.sessions().catch(() => [])) invariants.session(row)
}

/** Lets something fail, and waits until everything flows again without any action of the users. */
async function survive(what: string, fail: () => Promise<unknown>): Promise<void> {
  const from = Date.now()
  await fail()
  await lesson.waitForFlow(RECOVERED_WITHIN_MS)
  console.log(`${what}: ${JSON.stringify(lesson.outageSince(from))}`)
  failedMs += Date.now() - from
  expect(lesson.sessions.size).toBe(1)
  expect(invariants.violations).toEqual([])
}

/** Likewise; and nobody joins again, or connects to the media node again. */
async function surviveWithMedia(what: string, fail: () => Promise<unknown>): Promise<void> {
  const before = await lesson.readContinuity()
  await survive(what, fail)
  expect(await lesson.readContinuity()).toEqual(before)
}

const owner = () => getCluster().ownerOf(lesson.tag)

describe('a lesson on three servers and two media nodes', () => {
  it('has its teacher and its student at different servers', async () => {
    lesson = await ChaosLesson.begin(stage, 'lesson')
    await lesson.waitForFlow(RECOVERED_WITHIN_MS)
  })

  it('survives the loss of its owner, and its media goes on', async () => {
    const { node } = await owner()
    await surviveWithMedia('owner', () => node.kill())
    await node.start()
  })

  it('survives the loss of another entry server', async () => {
    const current = await owner()
    const entry = getCluster().servers.find((server, index) => server !== current && index < 2)
    await survive('entry server', async () => entry?.node.kill())
    await entry?.node.start()
  })

  it('survives the loss of the media nodes, one after the other', async () => {
    for (const node of getCluster().mediaNodes) {
      await survive(node.name, () => node.kill())
      await node.start()
    }
  })

  it('goes on while PostgreSQL is away, and continues when it returns', async () => {
    const { postgres } = getCluster().engines
    await survive('PostgreSQL', async () => {
      await postgres.kill()
      await sleep(AWAY_MS)
      await lesson.waitForVideo()
      await postgres.start()
    })
  })

  it('goes on while NATS is away, and continues when it returns', async () => {
    const { nats } = getCluster().engines
    await survive('NATS', async () => {
      await nats.kill()
      await sleep(AWAY_MS)
      await lesson.waitForVideo()
      await nats.restart()
    })
  })

  it('survives 10 s in which other servers cannot reach its owner', async () => {
    const link = links.get((await owner()).name)
    await survive('partition', async () => {
      link?.cut()
      await sleep(PARTITION_MS)
      await lesson.waitForVideo()
      link?.restore()
    })
  })

  it('moves to another server when its owner is drained, and its media goes on', async () => {
    const { name, node } = await owner()
    await surviveWithMedia('drain', () => node.stop())
    expect((await owner()).name).not.toBe(name)
    await node.start()
  })

  it('leaves one recording, one webhook, and every chat message exactly once and in order', async () => {
    expect(await lesson.end()).toEqual([])
    expect(await lesson.checkRecords({ failedMs, lostTranscribers: 0 })).toEqual([])
    expect(receiver.refused).toEqual([])
    expect(invariants.violations).toEqual([])
  }, 200_000)
})
