import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useAccountDevices } from '../../support/account-devices.ts'
import { addUser, signInAs } from '../../support/accounts.ts'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { Invariants } from '../../support/chaos/invariants.ts'
import { ChaosLesson, type Stage } from '../../support/chaos/lesson.ts'
import { clusterDeployment } from '../../support/cluster/deployment.ts'
import { useCluster } from '../../support/cluster/use-cluster.ts'
import { Home } from '../../support/home.ts'
import { PLAIN_LINK_OPEN } from '../../support/lectern.ts'
import { Member } from '../../support/members.ts'
import { type TcpProxy, useProxies } from '../../support/proxy.ts'
import { waitFor } from '../../support/wait.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

/** A generous limit: how long recovery takes is printed, not asserted. */
const RECOVERED_WITHIN_MS = 300_000
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
const connect = useAccountDevices()
/** They stay from test to test; the lesson ends them. */
const enter: Stage['enter'] = options => new Member(options)

const invariants = new Invariants()
let stage: Stage
let lesson: ChaosLesson
let failedMs = 0
/** The name of the server that has hung. */
let hung = ''
let polling: ReturnType<typeof setInterval>

beforeAll(async () => {
  const cluster = getCluster()
  const partner = cluster.partner(await cluster.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
  const deployment = clusterDeployment(cluster)
  const entries: Stage['entries'] = [await cluster.entryAt(0), await cluster.entryAt(1)]
  stage = { partner, deployment, invariants, receiver, openTab, enter, entries }
  polling = setInterval(() => void checkSessions(), 200)
})
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
  it('has its teacher and its student on different servers', async () => {
    lesson = await ChaosLesson.begin(stage, 'lesson')
    await lesson.waitForFlow(RECOVERED_WITHIN_MS)
  })

  it('survives the loss of its owner without an interruption of its media', async () => {
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

  it('continues while PostgreSQL is unavailable and after its return', async () => {
    const { postgres } = getCluster().engines
    await survive('PostgreSQL', async () => {
      await postgres.kill()
      await sleep(AWAY_MS)
      await lesson.waitForVideo()
      await postgres.start()
    })
  })

  it('continues while NATS is unavailable and after its return', async () => {
    const { nats } = getCluster().engines
    await survive('NATS', async () => {
      await nats.kill()
      await sleep(AWAY_MS)
      await lesson.waitForVideo()
      await nats.restart()
    })
  })

  it('survives an owner that hangs, and its media goes on', async () => {
    const { name, node } = await owner()
    hung = name
    const losses = () => node.log.split('stop here').length
    const lossesBefore = losses()
    await surviveWithMedia('hanging owner', async () => {
      node.suspend()
      await waitFor(async () => {
        const current = await owner().catch(() => null) // nobody for a moment
        return current !== null && current.name !== name
      }, 'another server takes over')
    })
    node.resume()
    await waitFor(() => losses() > lossesBefore, 'it notices that it owns nothing')
    expect((await owner()).name).not.toBe(name)
  })

  it('goes on at the server that had hung, when all others are drained', async () => {
    const others = getCluster().servers.filter(({ name }) => name !== hung)
    const current = await owner()
    others.sort((one, other) => Number(one === current) - Number(other === current)) // the owner last
    await surviveWithMedia('drain to the server that had hung', async () => {
      for (const { name } of others) await getCluster().command('cluster', 'drain', name)
      await waitFor(async () => (await owner().catch(() => null))?.name === hung, 'the session goes there')
    })
    for (const { name } of others) await getCluster().command('cluster', 'undrain', name)
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

  it('moves to another server when its owner is drained, without an interruption of its media', async () => {
    const { name, node } = await owner()
    await surviveWithMedia('drain', () => node.stop())
    expect((await owner()).name).not.toBe(name)
    await node.start()
  })

  it('moves to another server also when PostgreSQL is unavailable while its owner is drained', async () => {
    const { name, node } = await owner()
    const { postgres } = getCluster().engines
    await surviveWithMedia('drain without PostgreSQL', async () => {
      await postgres.kill()
      const stopped = node.stop()
      await sleep(AWAY_MS)
      await lesson.waitForVideo()
      await postgres.start()
      await stopped
    })
    expect((await owner()).name).not.toBe(name)
    await node.start()
  })

  it('leaves one recording, one webhook, and every chat message exactly once and in order', async () => {
    expect(await lesson.end()).toEqual([])
    expect(await lesson.checkRecords({ failedMs, lostTranscribers: 0 })).toEqual([])
    expect(receiver.refused).toEqual([])
    expect(invariants.violations).toEqual([])
  })
})

describe('two people who are connected to different servers', () => {
  it('write to each other, see who is online, and call each other', async () => {
    const cluster = getCluster()
    const urls = await Promise.all([cluster.entryAt(0), cluster.entryAt(1)])
    const people = [await addUser(cluster, 'anna'), await addUser(cluster, 'ben')] as const
    const [one, other] = await Promise.all([
      connect(urls[0], await signInAs({ url: urls[0] }, people[0])),
      connect(urls[1], await signInAs({ url: urls[1] }, people[1])),
    ])
    await one.becomeContactOf(other)

    const [annas, bens] = await Promise.all([
      Home.open(openTab, `${urls[0]}/contacts`, people[0]),
      Home.open(openTab, urls[1], people[1]),
    ])
    await annas.page.getByRole('link', { name: 'Write to Ben' }).click()
    await annas.write('from one server')
    await bens.openChat('Anna')
    await bens.message('from one server').waitFor()
    await bens.write('from the other')
    await annas.message('from the other').waitFor()
    for (const { page } of [annas, bens]) await page.getByText('Online', { exact: true }).first().waitFor()

    await annas.page.getByRole('button', { name: 'Video call with Ben' }).first().click()
    const incoming = bens.page.getByRole('region', { name: 'Incoming call' })
    await incoming.waitFor()
    await bens.page.waitForTimeout(600) // a guard against clicks that were meant for the page below
    await incoming.getByRole('button', { name: 'Answer with video', exact: true }).click()
    for (const { page } of [annas, bens]) {
      const videos = page.locator('video')
      const shown = () =>
        videos.evaluateAll(all => all.filter(each => (each as HTMLVideoElement).videoWidth > 0).length)
      await waitFor(async () => (await shown()) >= 2, 'the videos of both')
    }
    await annas.page.getByRole('button', { name: 'Leave' }).click()
    expect((await other.waitForCall('ended')).reason).toBe('completed')
    for (const { page } of [annas, bens]) await page.close()
  })
})
