import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { beginLayoutLesson } from './support/layout-lesson.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { visibleTracks } from './support/received-video.ts'
import { useStudents } from './support/students.ts'
import { waitFor } from './support/wait.ts'

// One lesson that grows: the teacher, then 2, 9 and 12 participants. Four, 30, and phones, are in endurance/media.

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const addStudents = useStudents()

describe('the layouts of a lesson', () => {
  let lesson: Awaited<ReturnType<typeof beginLayoutLesson>>
  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    lesson = await beginLayoutLesson({ url: lectern.url, partner, open, addStudents })
  })

  it('give two people the whole window, with a small own view that can be hidden', async () => {
    const { teacher, add, openView, tileCount, expectVisibleIsReceived } = lesson
    await add(['Mia'])
    await teacher.waitForVideo('Mia')
    expect(await teacher.stageShare(teacher.tiles('Mia'))).toBeGreaterThan(0.99)
    const own = await teacher.stageShare(teacher.tiles('Anna'))
    expect(own).toBeGreaterThan(0.01)
    expect(own).toBeLessThan(0.06)
    await expectVisibleIsReceived(2)
    await openView()
    await teacher.page.getByRole('checkbox', { name: 'Show my own video to me' }).uncheck({ force: true })
    await teacher.page.keyboard.press('Escape')
    await waitFor(async () => (await tileCount()) === 1, 'the own view is hidden')
    await openView()
    await teacher.page.getByRole('checkbox', { name: 'Show my own video to me' }).check({ force: true })
    await teacher.page.keyboard.press('Escape')
    await waitFor(async () => (await tileCount()) === 2, 'the own view is back')
  })

  it('receive the visible ones of 12 people only, page by page, and never more than nine', async () => {
    const { teacher, add, choose, expectVisibleIsReceived } = lesson
    await add(Array.from({ length: 7 }, (_, at) => `Student ${at + 3}`))
    await choose('Presentation')
    const ofNine = await expectVisibleIsReceived(9)
    await add(['Student 10', 'Student 11', 'Student 12'])
    const ofTwelve = await expectVisibleIsReceived(12)
    expect(ofTwelve).toBeLessThan(ofNine * 1.5)
    const before = (await visibleTracks(teacher)).sort()
    await teacher.page.getByRole('button', { name: /^\d+ more$/ }).click()
    await waitFor(
      async () => String((await visibleTracks(teacher)).sort()) !== String(before),
      'the page is turned',
    )
    await expectVisibleIsReceived(12)
  })
})
