import { expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFirefox } from './support/firefox.ts'
import { useLectern } from './support/lectern.ts'
import { field, messageWith, openChat } from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern()
const open = useFirefox()
const openChromium = useBrowser(FAKE_DEVICES)

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** Everything else in Firefox is in endurance/firefox. */
it('Firefox and Chromium see and hear each other, share a screen, chat, and rejoin after a reload', async () => {
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
  await openChat(teacher.page)
  // Types keys, because fill() triggers no listeners in Firefox.
  await field(teacher.page).pressSequentially('Guten Morgen')
  await teacher.page.keyboard.press('Enter')
  await openChat(student.page)
  await messageWith(student.page, 'Guten Morgen').waitFor()
  await teacher.page.reload()
  await Promise.all([teacher.waitForVideo(MIA), student.waitForVideo(ANNA)])
  expect(await student.page.locator('[data-tile=person]').count()).toBe(2)
  expect([...teacher.console, ...student.console]).toEqual([])
})
