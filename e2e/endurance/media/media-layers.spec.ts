import { it } from 'vitest'
import { FAKE_DEVICES, LARGE_FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import { joinInstrumented, receivedVideo } from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern()
const open = useBrowser(FAKE_DEVICES)
const openLarge = useBrowser(LARGE_FAKE_DEVICES)

// A browser that lacks processor time does not send the largest layer.
it('a video is received in the resolution that its tile needs', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const { links } = await createHostedRoom(partner, 'layers', open)
  const teacher = await joinInstrumented(openLarge, links.teacher)
  // Of two people the other one fills the window.
  const small = { width: 320, height: 240 }
  const student = await joinInstrumented(open, links.student)
  await student.waitForVideo('Anna Petrova')
  await student.page.setViewportSize(small)
  const height = async () => (await receivedVideo(student, 'Anna Petrova'))?.height ?? 0
  await waitFor(async () => (await height()) === 180, 'a small tile gets the smallest layer')
  const since = Date.now()
  await student.page.setViewportSize({ width: 1920, height: 1080 })
  await waitFor(async () => (await height()) > 180, 'a large tile gets more')
  const more = Date.now() - since
  await waitFor(async () => (await height()) === 720, 'it gets everything')
  console.log(`A tile that grows gets more after ${more} ms, everything after ${Date.now() - since} ms`)
  await student.page.setViewportSize(small)
  await waitFor(async () => (await height()) === 180, 'a tile that shrinks gets less')
  await teacher.waitForVideo('Mia Andersson')
})
