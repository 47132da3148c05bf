import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import { joinInstrumented, UNUSED_PORT } from '../../support/media.ts'
import { field, openChat, openPeople } from '../../support/panels.ts'
import { type TcpProxy, useProxies } from '../../support/proxy.ts'
import { describeRecoveries, expectRecovery, recordRecovery, resetRecord } from '../../support/recovery.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { recordJoinedSessions } from '../../support/sessions.ts'
import { type UdpProxy, useUdpProxies } from '../../support/udp-proxy.ts'
import type { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

/** Longer than the grace period of an empty session. */
const TOO_LONG_S = 40

const DRAFT = 'A thought that is not fini'
const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

const mediaPort = await freePort()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const makeProxy = useProxies()
const makePath = useUdpProxies()

/** Both use one network for pages, control channel and media. Mia raised her hand before Anna. */
async function begin() {
  const partner = lectern.client(await lectern.addAccount())
  const { links } = await createHostedRoom(partner, 'network', open)
  const network = await makeProxy(lectern.url)
  const path = await makePath(mediaPort)
  const sessions: string[][] = []
  const join = (link: string) =>
    joinInstrumented(
      async (...wanted) => {
        const tab = await open(...wanted)
        sessions.push(recordJoinedSessions(tab.page))
        return tab
      },
      link.replace(lectern.url, network.url),
      { ports: { udp: path.port, tcp: UNUSED_PORT } },
    )
  const anna = await join(links.teacher)
  const mia = await join(links.student)
  await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
  for (const { isPressed, page } of [mia, anna]) {
    await page.keyboard.press('h')
    await waitFor(() => isPressed('Raise hand'), 'the hand is up')
  }
  await anna.page.keyboard.press('m')
  await pin(anna).click()
  await openChat(anna.page)
  await field(anna.page).fill(DRAFT)
  await openPeople(mia.page)
  await recordRecovery(anna, MIA)
  await recordRecovery(mia, ANNA)
  return { anna, mia, network, path, sessions }
}

interface Meeting {
  anna: Visitor
  mia: Visitor
  network: TcpProxy
  path: UdpProxy
  sessions: string[][]
}

const pin = ({ page }: Visitor) => page.getByRole('button', { name: `Pin ${MIA}` })

async function expectAsBefore({ anna, mia }: Meeting, { isHandUp }: { isHandUp: boolean }) {
  // While it is down, a teacher's is not in the bar.
  for (const { page } of [anna, mia])
    expect(await page.getByRole('button', { name: 'Raise hand', pressed: true }).count()).toBe(
      Number(isHandUp),
    )
  expect(await anna.isPressed('Microphone')).toBe(false)
  expect(await mia.isMuted(ANNA)).toBe(true)
  expect(await anna.isMuted(MIA)).toBe(false)
  expect(await pin(anna).getAttribute('aria-pressed')).toBe('true')
  expect(await field(anna.page).inputValue()).toBe(DRAFT)
  expect(await mia.page.locator('aside ul p > bdi').count()).toBe(2)
  for (const { tiles } of [anna, mia])
    for (const name of [ANNA, MIA]) expect(await tiles(name).count()).toBe(1)
}

/** Cuts the network and returns the recovery times. */
async function cutFor(seconds: number, { anna, mia, network, path }: Meeting): Promise<void> {
  await Promise.all([resetRecord(anna), resetRecord(mia)])
  network.cut()
  path.cut()
  await sleep(seconds * 1_000)
  network.restore()
  path.restore()
  const backAtMs = Date.now()
  const [ofAnna, ofMia] = await Promise.all([expectRecovery(anna, backAtMs), expectRecovery(mia, backAtMs)])
  console.log(`Cut for ${seconds} s; ${describeRecoveries(ofAnna, ofMia)}`)
}

describe('a lesson during a network outage', () => {
  let meeting: Meeting
  beforeAll(async () => {
    meeting = await begin()
  })
  afterAll(() => Promise.all([meeting.anna, meeting.mia].map(({ page }) => page.context().close())))

  it.each([2, 5, 9, 20])('is fully restored after %i s', async seconds => {
    await cutFor(seconds, meeting)
    await expectAsBefore(meeting, { isHandUp: true })
    expect(meeting.sessions.map(({ length }) => length)).toEqual([1, 1])
    expect(new Set(meeting.sessions.flat()).size).toBe(1)
  })

  it(`continues in a new session, without raised hands, after ${TOO_LONG_S} s`, async () => {
    await cutFor(TOO_LONG_S, meeting)
    await expectAsBefore(meeting, { isHandUp: false })
    const [before, ...after] = new Set(meeting.sessions.flat())
    expect(after).toHaveLength(1)
    expect(Number(after[0])).toBeGreaterThan(Number(before))
  })
})
