import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@lectern/server/testing'
import { expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { joinInstrumented, protocolsOf, receivedVideo, waitForVideo } from './support/media.ts'
import { messageWith, openChat, sendMessage } from './support/panels.ts'
import { useProxies } from './support/proxy.ts'
import { createHostedRoom } from './support/rooms.ts'
import { recordJoinedSessions } from './support/sessions.ts'
import { useUdpProxies } from './support/udp-proxy.ts'
import type { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

/** Longer than a browser needs to notice that its media is cut. */
const OUTAGE_MS = 6_000

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

const mediaPort = await freePort()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_MEDIA_PORT: String(mediaPort) }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const makeProxy = useProxies()
const makePath = useUdpProxies()

const banner = ({ page }: Visitor) => page.getByText(/Connection lost|You are offline|interrupted/)

/** Longer outages, other paths and other faults are in endurance/recovery and endurance/media. */
it('a student whose control channel fails, whose network blocks UDP, and then fails, is back in the same session, muted as before, with every message', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const { links } = await createHostedRoom(partner, 'network', open)
  const network = await makeProxy(lectern.url)
  const path = await makePath(mediaPort)
  const media = await makeProxy(`http://127.0.0.1:${mediaPort}`)
  const sessions: string[][] = []
  const openRecorded: typeof open = async (...wanted) => {
    const tab = await open(...wanted)
    sessions.push(recordJoinedSessions(tab.page))
    return tab
  }
  const anna = await joinInstrumented(openRecorded, links.teacher)
  const mia = await joinInstrumented(openRecorded, links.student.replace(lectern.url, network.url), {
    ports: { udp: path.port, tcp: Number(new URL(media.url).port) },
  })
  await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
  await waitFor(async () => (await protocolsOf(mia)).join() === 'udp,udp', 'both directions go by UDP')
  await Promise.all([openChat(anna.page), openChat(mia.page)])

  // The control channel alone: media continues, the same element shows it, and a muted microphone is silent at once.
  const picture = await mia.video(ANNA).elementHandle()
  await anna.waitForSound()
  network.cut()
  await banner(mia).waitFor()
  await waitForVideo(mia, ANNA)
  await mia.page.getByRole('button', { name: 'Microphone', exact: true }).click()
  await waitFor(() => anna.isSilent(), 'nothing is audible')
  network.restore()
  await banner(mia).waitFor({ state: 'detached' })
  await waitFor(() => anna.isMuted(MIA), 'the muted microphone is seen')
  await waitForVideo(mia, ANNA)
  expect(await mia.video(ANNA).evaluate((now, before) => now === before, picture)).toBe(true)

  const { track } = (await receivedVideo(mia, ANNA)) ?? {}
  path.cut()
  await waitFor(async () => (await protocolsOf(mia)).join() === 'tcp,tcp', 'both directions go by TCP')
  await Promise.all([waitForVideo(anna, MIA), waitForVideo(mia, ANNA)])
  expect((await receivedVideo(mia, ANNA))?.track).toBe(track)

  network.cut()
  media.cut()
  await banner(mia).waitFor()
  await sendMessage(anna.page, 'while she was away')
  await sleep(OUTAGE_MS)
  network.restore()
  media.restore()
  path.restore()
  await messageWith(mia.page, 'while she was away').waitFor()
  await banner(mia).waitFor({ state: 'detached' })
  await Promise.all([waitForVideo(anna, MIA), waitForVideo(mia, ANNA)])
  expect(await mia.isPressed('Microphone')).toBe(false)
  await waitFor(() => anna.isMuted(MIA), 'Mia is shown as muted')
  for (const { tiles } of [anna, mia])
    for (const name of [ANNA, MIA]) expect(await tiles(name).count()).toBe(1)
  expect(sessions.map(({ length }) => length)).toEqual([1, 1])
  expect(new Set(sessions.flat()).size).toBe(1)
})
