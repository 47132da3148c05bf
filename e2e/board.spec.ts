import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawAt, paper } from './support/board.ts'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { button } from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { endForEveryone } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

// One lesson of two pages without devices: what each draws reaches the other through the server.

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })

/** Whether something is drawn in the middle of the page at this share of its height, within a few pixels. */
const isDrawnAt = (page: Page, share: number): Promise<boolean> =>
  paper(page)
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement, at) => {
      const [x, y] = [Math.round(canvas.width / 2), Math.round(canvas.height * at)]
      const image = canvas.getContext('2d')?.getImageData(x - 4, y - 4, 8, 8).data ?? []
      return [...image].some((value, index) => index % 4 === 0 && value < 200)
    }, share)

describe('the board of a lesson', () => {
  let lesson: Awaited<ReturnType<typeof createHostedRoom>>
  let teacher: Page
  let student: Page
  beforeAll(async () => {
    const partner = lectern.client(await lectern.addAccount())
    lesson = await createHostedRoom(partner, 'board', open)
    const join = { withoutDevices: true, reducedMotion: 'reduce' } as const
    ;({ page: teacher } = await lesson.teacher(join))
    ;({ page: student } = await lesson.student(join))
  })
  const seesAt = (page: Page, share: number) =>
    waitFor(() => isDrawnAt(page, share), `a line at ${share} of the page`)

  it('is opened by the teacher, and both draw on it', async () => {
    expect(await student.getByRole('button', { name: 'Board', exact: true }).count()).toBe(0)
    await button(teacher, 'Board').click()
    await paper(student).waitFor()
    await drawAt(teacher, 0.2)
    await seesAt(student, 0.2)
    await drawAt(student, 0.4)
    await seesAt(teacher, 0.4)
  })

  it('is the same after a reload, in which the student can still undo', async () => {
    await student.reload()
    await paper(student).waitFor()
    await seesAt(student, 0.2)
    await seesAt(student, 0.4)
    await button(student, 'Undo').click()
    await waitFor(async () => !(await isDrawnAt(teacher, 0.4)), 'the line of the student is gone')
    await button(student, 'Redo').click()
    await seesAt(teacher, 0.4)
  })

  it('has another page, which the student follows', async () => {
    await button(teacher, 'Add a page').click()
    await button(teacher, 'Squared').click()
    await waitFor(async () => !(await isDrawnAt(student, 0.2)), 'the student sees the other page')
    await button(teacher, 'Previous page').click()
    await seesAt(student, 0.2)
  })

  it('is drawn on only by those who may', async () => {
    await teacher.getByRole('region', { name: 'Drawing tools' }).getByRole('button', { name: 'More' }).click()
    await button(teacher, 'Who may draw').click()
    await teacher.getByRole('radio', { name: 'Only the teacher' }).click()
    await student.getByRole('region', { name: 'Drawing tools' }).waitFor({ state: 'detached' })
    await teacher.keyboard.press('Escape')
  })

  it('is kept for the next lesson', async () => {
    await endForEveryone(teacher)
    await button(teacher, 'Start again').click()
    await paper(teacher).waitFor()
    for (const share of [0.2, 0.4]) await seesAt(teacher, share)
    await button(teacher, 'Board').click()
    await paper(teacher).waitFor({ state: 'detached' })
  })
})
