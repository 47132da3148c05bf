import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { joinInstrumented } from './support/media.ts'
import { measureReceived, visibleTracks } from './support/received-video.ts'
import { createHostedRoom } from './support/rooms.ts'
import { PORTRAIT, useStudents } from './support/students.ts'
import type { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

// One lesson that grows: the teacher, then 2, 4, 9 and 30 participants.

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const addStudents = useStudents()

const DESKTOP = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const MEASURE_MS = 2_000

const LONG = 'Wolfeschlegelsteinhausenbergerdorff the Younger of Hamburg'
const ARABIC = 'عبد الرحمن بن محمد الأندلسي'

describe('the layouts of a lesson', () => {
  let teacher: Visitor
  let tag: string
  let links: { teacher: string; student: string; plain: string }

  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    const room = await createHostedRoom(partner, 'layouts', open)
    links = room.links
    tag = links.plain.split('/').at(-1) ?? ''
    teacher = await joinInstrumented(open, links.teacher, { viewport: DESKTOP, reducedMotion: 'reduce' })
  })

  const add = (names: string[], size?: typeof PORTRAIT) =>
    addStudents({ url: lectern.url, tag, names, ...(size && { size }) })
  const tileCount = () => teacher.page.locator('[data-tile]').count()
  const view = () => teacher.page.getByRole('button', { name: 'View', exact: true })
  const openView = async () => {
    // On a phone it is in the sheet.
    if (!(await view().isVisible())) await teacher.button('More').click()
    await view().click()
  }
  const choose = async (layout: string) => {
    await openView()
    await teacher.page.getByRole('radio', { name: layout }).check({ force: true })
    await teacher.page.keyboard.press('Escape')
  }
  const nextPage = () => teacher.page.getByRole('button', { name: /^\d+ more$/ })

  /** Waits until the received videos are those on the stage; returns the bytes of two seconds. */
  async function expectVisibleIsReceived(people: number): Promise<number> {
    let bytes = 0
    await waitFor(async () => {
      const visible = (await visibleTracks(teacher)).sort()
      const { video, audio, videoBytes } = await measureReceived(teacher, MEASURE_MS)
      bytes = videoBytes
      return visible.length > 0 && String(video) === String(visible) && audio.length === people - 1
    }, `the page receives what ${people} people show on its stage`)
    return bytes
  }

  it('give two people the whole window, with a small own view that can be hidden', async () => {
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

  it('can be selected for four people by keyboard only, and are remembered', async () => {
    await add([LONG, ARABIC], PORTRAIT)
    await waitFor(async () => (await tileCount()) === 4, 'four tiles')
    const isLarge = async () => (await teacher.stageShare(teacher.tiles('Mia'))) > 0.5
    await waitFor(isLarge, 'one is large')
    await view().focus()
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
    await choose('Presentation')
    const ofNine = await expectVisibleIsReceived(9)
    await add(Array.from({ length: 21 }, (_, at) => `Student ${at + 10}`))
    const ofThirty = await expectVisibleIsReceived(30)
    console.log(`Video of two seconds with 9 people: ${ofNine} bytes, with 30: ${ofThirty} bytes`)
    expect(ofThirty).toBeLessThan(ofNine * 1.5)
    const before = (await visibleTracks(teacher)).sort()
    await nextPage().click()
    await waitFor(
      async () => String((await visibleTracks(teacher)).sort()) !== String(before),
      'the page is turned',
    )
    await expectVisibleIsReceived(30)
  })
})
