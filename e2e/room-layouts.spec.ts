import { expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { beginLayoutLesson } from './support/layout-lesson.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { visibleTracks } from './support/received-video.ts'
import { useStudents } from './support/students.ts'
import { waitFor } from './support/wait.ts'

const PEOPLE = 12

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES)
const addStudents = useStudents()

/** Lessons of 2, 4, 9 and 30, all layouts, and phones, are in endurance/media. */
it('a presentation for 12 people receives the visible ones only, page by page', async () => {
  const partner = lectern.client(await lectern.addAccount())
  const lesson = await beginLayoutLesson({ url: lectern.url, partner, open, addStudents })
  const { teacher, add, choose, expectVisibleIsReceived } = lesson
  await add(Array.from({ length: PEOPLE - 1 }, (_, at) => `Student ${at + 2}`))
  await choose('Presentation')
  await expectVisibleIsReceived(PEOPLE)
  const before = (await visibleTracks(teacher)).sort()
  expect(before.length).toBeLessThan(PEOPLE - 1)
  await teacher.page.getByRole('button', { name: /^\d+ more$/ }).click()
  await waitFor(
    async () => String((await visibleTracks(teacher)).sort()) !== String(before),
    'the page is turned',
  )
  await expectVisibleIsReceived(PEOPLE)
})
