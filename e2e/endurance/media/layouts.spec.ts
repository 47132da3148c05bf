import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { beginLayoutLesson, DESKTOP } from '../../support/layout-lesson.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { visibleTracks } from '../../support/received-video.ts'
import { PORTRAIT, useStudents } from '../../support/students.ts'
import { waitFor } from '../../support/wait.ts'

// One lesson that grows: the teacher, then 2, 4, 9 and 30 participants.

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const addStudents = useStudents()

const PHONE = { width: 390, height: 844 }
const LONG = 'Wolfeschlegelsteinhausenbergerdorff the Younger of Hamburg'
const ARABIC = 'عبد الرحمن بن محمد الأندلسي'

describe('the layouts of a lesson', () => {
  let lesson: Awaited<ReturnType<typeof beginLayoutLesson>>
  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    lesson = await beginLayoutLesson({ url: lectern.url, partner, open, addStudents })
    await lesson.add(['Mia'])
    await lesson.teacher.waitForVideo('Mia')
  })

  it('give two people the whole window, with a small own view that can be hidden', async () => {
    const { teacher, openView, tileCount, expectVisibleIsReceived } = lesson
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

  it('can be selected for four people by keyboard only, and are remembered', async () => {
    const { teacher, add, view, tileCount, expectVisibleIsReceived } = lesson
    await add([LONG, ARABIC], PORTRAIT)
    await waitFor(async () => (await tileCount()) === 4, 'four tiles')
    const isLarge = async () => (await teacher.stageShare(teacher.tiles('Mia'))) > 0.5
    await waitFor(isLarge, 'one is large')
    await view.focus()
    await teacher.page.keyboard.press('Enter')
    await teacher.page.keyboard.press('ArrowDown')
    await teacher.page.keyboard.press('Escape')
    await waitFor(async () => !(await isLarge()), 'all are equal')
    await expectVisibleIsReceived(4)
    await teacher.page.reload()
    await teacher.waitForVideo('Mia')
    expect(await isLarge()).toBe(false)
  })

  it('show at least four of nine people on a phone, except for the presentation', async () => {
    const { teacher, add, choose, tileCount, expectVisibleIsReceived } = lesson
    await add(['Lea', 'Ben', 'Zoë', 'Noah', 'Emil'])
    await teacher.page.setViewportSize(PHONE)
    for (const layout of ['Automatic', 'Grid', 'Speaker']) {
      await choose(layout)
      await waitFor(async () => (await tileCount()) >= 4, `four people in the layout ${layout}`)
    }
    await teacher.page.setViewportSize(DESKTOP)
    for (const layout of ['Grid', 'Presentation', 'Speaker']) {
      await choose(layout)
      await expectVisibleIsReceived(9)
    }
  })

  it('receive the visible ones of 30 people only, page by page, and never more than nine', async () => {
    const { teacher, add, choose, expectVisibleIsReceived } = lesson
    await choose('Presentation')
    const ofNine = await expectVisibleIsReceived(9)
    await add(Array.from({ length: 21 }, (_, at) => `Student ${at + 10}`))
    const ofThirty = await expectVisibleIsReceived(30)
    console.log(`Video of two seconds with 9 people: ${ofNine} bytes, with 30: ${ofThirty} bytes`)
    expect(ofThirty).toBeLessThan(ofNine * 1.5)
    const before = (await visibleTracks(teacher)).sort()
    await teacher.page.getByRole('button', { name: /^\d+ more$/ }).click()
    await waitFor(
      async () => String((await visibleTracks(teacher)).sort()) !== String(before),
      'the page is turned',
    )
    await expectVisibleIsReceived(30)
  })
})
