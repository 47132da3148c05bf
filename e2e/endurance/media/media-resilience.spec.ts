import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { joinInstrumented, receivedVideo, waitForVideo, waitForVideoEnd } from '../../support/media.ts'
import { messageWith, openChat, sendMessage } from '../../support/panels.ts'
import { useProxies } from '../../support/proxy.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const OFFLINE_MS = 10_000

const mediaPort = await freePort()
const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const makeProxy = useProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const bannerOf = (page: Page) => page.getByText(/Connection lost|You are offline/)

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** Anna's microphone and Sam's camera are off; Mia is on a separate network. */
async function begin({ byTcp = false } = {}) {
  const { links } = await createHostedRoom(partner, `resilience-${++rooms}`, open)
  const network = await makeProxy(lectern.url)
  const media = await makeProxy(`http://127.0.0.1:${mediaPort}`)
  const tcpOnly = { through: Number(new URL(media.url).port) }
  const anna = await joinInstrumented(open, links.teacher)
  const mia = await joinInstrumented(
    open,
    links.student.replace(lectern.url, network.url),
    byTcp ? { tcpOnly } : {},
  )
  const sam = await joinInstrumented(open, links.plain, { name: 'Sam' })
  await anna.page.keyboard.press('m')
  await sam.page.keyboard.press('v')
  await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
  await waitFor(async () => (await mia.video('Sam').count()) === 0, 'the camera of Sam is off')
  for (const { page } of [anna, mia, sam]) await openChat(page)
  return { anna, mia, sam, network, media }
}

type Lesson = Awaited<ReturnType<typeof begin>>

const leave = (lesson: Lesson) =>
  Promise.all([lesson.anna, lesson.mia, lesson.sam].map(({ page }) => page.context().close()))

const observe = async (anna: Visitor, mia: Visitor) => ({
  mia: await receivedVideo(anna, MIA),
  anna: await receivedVideo(mia, ANNA),
})

type Seen = Awaited<ReturnType<typeof observe>>

/** Waits for video and prints the time since the repair. */
async function expectBack(
  what: string,
  [anna, mia]: readonly [Visitor, Visitor],
  repaired: number,
  before: Partial<Seen> = {},
) {
  const [atAnna, atMia] = await Promise.all([
    waitForVideo(anna, MIA, before.mia),
    waitForVideo(mia, ANNA, before.anna),
  ])
  const ms = Math.max(atAnna, atMia) - repaired
  console.log(`${what}: media is back after ${ms} ms`)
}

/**
 * Injects a fault during a lesson. Expects no duplicate participant afterwards, unchanged muting and no lost chat
 * message.
 */
async function survives(
  what: string,
  { anna, mia, sam }: Lesson,
  injectFault: (seen: Seen) => Promise<void>,
) {
  const [before, after] = [`${what}: before`, `${what}: after`]
  await sendMessage(anna.page, before)
  await messageWith(mia.page, before).waitFor()
  await injectFault(await observe(anna, mia))
  await sendMessage(mia.page, after)
  for (const { page, tiles, isMuted } of [anna, mia, sam]) {
    await bannerOf(page).waitFor({ state: 'detached' })
    await waitFor(async () => (await page.locator('[data-tile]').count()) === 3, 'there are three tiles')
    for (const name of ['Anna', 'Mia', 'Sam']) expect(await tiles(name).count()).toBe(1)
    await waitFor(() => isMuted('Anna'), 'Anna is shown as muted')
    await messageWith(page, after).waitFor()
    for (const text of [before, after]) expect(await messageWith(page, text).count()).toBe(1)
  }
  expect(await anna.isPressed('Microphone')).toBe(false)
  expect(await mia.isPressed('Microphone')).toBe(true)
  expect(await sam.isPressed('Camera')).toBe(false)
  for (const { video } of [anna, mia]) expect(await video('Sam').count()).toBe(0)
  await anna.waitForSound()
}

describe('media of a running lesson recovers automatically with all state', () => {
  let lesson: Lesson
  beforeAll(async () => {
    lesson = await begin()
  })
  afterAll(() => leave(lesson))

  it('when a page is reloaded', () =>
    survives('Loaded again', lesson, async seen => {
      const { anna, mia } = lesson
      const before = Date.now()
      await mia.page.reload()
      await expectBack('Loaded again', [anna, mia], before, seen)
      await openChat(mia.page)
    }))

  it('when the control channel is lost for 10 s, during which media continues', () =>
    survives('Offline for 10 s', lesson, async () => {
      const { anna, mia, network } = lesson
      const context = mia.page.context()
      network.cut()
      await context.setOffline(true)
      const before = await observe(anna, mia)
      await bannerOf(mia.page).waitFor()
      await sleep(OFFLINE_MS)
      const after = await observe(anna, mia)
      for (const whose of ['anna', 'mia'] as const) {
        expect(after[whose]?.track).toBe(before[whose]?.track)
        expect(after[whose]?.frames).toBeGreaterThan((before[whose]?.frames ?? 0) + 20)
      }
      network.restore()
      const healed = Date.now()
      await context.setOffline(false)
      await bannerOf(mia.page).waitFor({ state: 'detached' })
      console.log(`Offline for 10 s: the channel is back after ${Date.now() - healed} ms`)
      await expectBack('Offline for 10 s', [anna, mia], healed)
    }))

  it('when the media worker is killed', () =>
    survives('Media worker killed', lesson, async seen => {
      const { anna, mia } = lesson
      const killed = Date.now()
      for (const pid of mediaWorkersOf(lectern.pid)) process.kill(pid, 'SIGKILL')
      await expectBack('Media worker killed', [anna, mia], killed, seen)
    }))

  it('when the media worker hangs', () =>
    survives('Media worker hangs', lesson, async seen => {
      const { anna, mia } = lesson
      const hung = Date.now()
      for (const pid of mediaWorkersOf(lectern.pid)) process.kill(pid, 'SIGSTOP')
      await waitFor(() => lectern.log.includes('media worker hangs'), 'the server notices')
      const noticed = Date.now()
      console.log(`Media worker hangs: noticed after ${noticed - hung} ms`)
      await expectBack('Media worker hangs, from then', [anna, mia], noticed, seen)
    }))

  it('when the server is killed, and started again', () =>
    survives('Server killed', lesson, async seen => {
      const { anna, mia } = lesson
      await lectern.stop('SIGKILL')
      await bannerOf(mia.page).waitFor()
      await lectern.start()
      await expectBack('Server killed, from its start', [anna, mia], Date.now(), seen)
    }))
})

describe('media of a lesson that one participant reaches over TCP only', () => {
  it('recovers automatically with all state after a network outage of 10 s', async () => {
    const lesson = await begin({ byTcp: true })
    const { anna, mia, network, media } = lesson
    await survives('Without any network for 10 s', lesson, async () => {
      expect(await receivedVideo(mia, ANNA)).toMatchObject({ protocol: 'tcp' })
      const context = mia.page.context()
      for (const each of [network, media]) each.cut()
      await context.setOffline(true)
      await sleep(OFFLINE_MS)
      await Promise.all([waitForVideoEnd(anna, MIA), waitForVideoEnd(mia, ANNA)])
      for (const each of [network, media]) each.restore()
      const healed = Date.now()
      const stale = await observe(anna, mia)
      await context.setOffline(false)
      await waitFor(
        async () => (await receivedVideo(mia, ANNA))?.frames !== stale.anna?.frames,
        'Anna is seen',
      )
      await waitFor(async () => (await receivedVideo(anna, MIA))?.frames !== stale.mia?.frames, 'Mia is seen')
      await expectBack('Without any network for 10 s', [anna, mia], healed)
    })
    await leave(lesson)
  })
})

function mediaWorkersOf(pid: number): number[] {
  const children = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], { encoding: 'utf8' })
  const workers = children.split('\n').filter(line => line.includes('mediasoup-worker'))
  expect(workers.length).toBe(1)
  return workers.map(line => Number.parseInt(line, 10))
}
