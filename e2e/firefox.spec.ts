import { expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFirefox } from './support/firefox.ts'
import { useLectern } from './support/lectern.ts'
import { createHostedRoom } from './support/rooms.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern()
const open = useFirefox()
const openChromium = useBrowser(FAKE_DEVICES)

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** Everything else in Firefox is in endurance/firefox, also the chat and a reload of the page. */
it('Firefox and Chromium see and hear each other, and share a screen', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const { links } = await createHostedRoom(partner, 'firefox', open)
  const teacher = await Visitor.join(await open(links.teacher))
  const student = await Visitor.join(await openChromium(links.student))
  await Promise.all([student.waitForVideo(ANNA), teacher.waitForVideo(MIA)])
  await Promise.all([teacher.waitForSound(), student.waitForSound()])
  await student.page.keyboard.press('m')
  await waitFor(() => teacher.isMuted(MIA), 'the teacher sees the muted microphone')
  await teacher.button('Share screen').click()
  await student.waitForVideo(`${ANNA}’s screen`)
  expect([...teacher.console, ...student.console]).toEqual([])
})
