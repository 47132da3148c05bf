import { fileURLToPath } from 'node:url'
import { PartnerClient } from '@lectern/partner'
import type { Browser, Page } from 'playwright-core'
import type { Classroom } from '../classroom/clients.ts'
import { Guests } from '../support/guests.ts'
import type { Service } from '../support/lectern.ts'
import { TaskProcess } from '../support/tasks.ts'
import { blockCamera, useDrawnCamera } from './drawn-camera.ts'
import { type EndsParts, join } from './lesson.ts'
import { type Camera, LOOKS, type Look, optionsOf, WITH_KEYBOARD } from './looks.ts'
import { takeTrouble } from './trouble.ts'

const STUDENTS = ['Mia Schneider', 'Amira El-Sayed', 'Zoë', 'Kofi Mensah', 'Hana']
const MESSAGES = ['Good morning! We begin on page 42.', 'Raise your hand when you have the first answer.']
const MINUTE_MS = 60_000

/** Finds a button by its icon, in every language. */
const withIcon = (page: Page, icon: string, within = '') =>
  page.locator(
    `${within} button:has(> svg.lucide-${icon}), ${within} button:has(> span > svg.lucide-${icon})`,
  )

type Part = 'ends' | 'lesson'

/**
 * The screens of a lesson, of the teacher and of a student. `ends`: before and after it, and when something fails; `lesson`:
 * during it.
 */
export async function takeRoom(
  service: Service,
  browser: Browser,
  camera: Camera,
  portraits: string[],
  parts: readonly Part[] = ['ends', 'lesson'],
) {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const now = Date.now()
  const { tag, teacher_join_url, student_join_url } = await partner.createRoom('screens', {
    title: 'English B1 — Unit 7: Reported speech',
    starts_at: new Date(now - 20 * MINUTE_MS).toISOString(),
    ends_at: new Date(now + 27 * MINUTE_MS).toISOString(),
    teacher: { display_name: 'Anna Petrova' },
    student: { display_name: 'Ben Müller' },
  })
  const [teacherFace = '', studentFace = '', ...faces] = portraits
  const enter = async (link: string, face: string, look: Look) => {
    const context = await browser.newContext(optionsOf(look))
    await useDrawnCamera(context, face)
    const page = await context.newPage()
    await page.goto(link)
    return page
  }
  const students = new TaskProcess<Classroom>(
    fileURLToPath(new URL('../classroom/clients.ts', import.meta.url)),
  )
  try {
    for (const [index, look] of parts.includes('ends') ? LOOKS.entries() : []) {
      const lesson = await partner.createRoom(`end-${index}`, {
        title: 'English B1 — Unit 7: Reported speech',
        description: 'Please have your workbook at hand. We begin on page 42.',
        teacher: { display_name: 'Anna Petrova' },
        student: { display_name: 'Ben Müller' },
      })
      const asTeacher = () => enter(lesson.teacher_join_url, teacherFace, look)
      const asStudent = () => enter(lesson.student_join_url, studentFace, look)
      await takeTrouble({ asTeacher, asStudent, camera, look })
      await takeEnds({ asTeacher, asStudent, camera, look }) // whose last student may not come back
      const blocked = await browser.newContext(optionsOf(look))
      await blockCamera(blocked)
      const page = await blocked.newPage()
      await page.goto(lesson.student_join_url)
      await page.waitForTimeout(2_000)
      await camera.take(page, 'prejoin-blocked', look)
      await page.goto(`${lesson.student_join_url}x`)
      await page.locator('h1').first().waitFor()
      await camera.take(page, 'link-damaged', look)
      await blocked.close()
    }
    if (!parts.includes('lesson')) return
    const guests = new Guests(service)
    const tickets = await Promise.all(
      STUDENTS.map(async name => ({ tag, token: await guests.register(name) })),
    )
    await students.run('show', service.url, tickets, faces)
    for (const [index, look] of LOOKS.entries()) {
      const student = await enter(student_join_url, studentFace, look)
      await student.waitForTimeout(1_500) // the preview
      await camera.take(student, 'prejoin', look)
      await join(student)
      await student.keyboard.press('h')
      const teacher = await enter(teacher_join_url, teacherFace, look)
      await join(teacher)
      if (index === 0) await write(teacher)
      await takeTeacher(teacher, camera, look)
      await takeStudent(student, camera, look)
      await takeShown({ teacher, student, camera, look })
      await withIcon(student, 'log-out').first().click()
      await camera.take(student, 'left', look)
      await Promise.all([teacher, student].map(page => page.context().close()))
    }
  } finally {
    students.stop()
  }
}

const hasLeft = (page: Page) => page.locator('[data-tile]').first().waitFor({ state: 'detached' })

/** A lesson of two: alone, together, after its end, and after a removal. */
async function takeEnds({ asTeacher, asStudent, camera, look }: EndsParts): Promise<void> {
  const confirm = (page: Page) => page.locator('dialog button').last().click()
  for (const end of ['ended', 'removed'] as const) {
    const teacher = await asTeacher()
    await join(teacher)
    if (end === 'ended') await camera.take(teacher, 'alone', look)
    const student = await asStudent()
    await join(student)
    await student.waitForTimeout(2_000)
    if (end === 'ended') await camera.take(student, 'two', look)
    await teacher.setViewportSize({ width: 1440, height: 900 })
    if (end === 'ended') {
      await withIcon(teacher, 'chevron-up', 'section').last().click()
      await withIcon(teacher, 'circle-stop', 'section').last().click()
      await confirm(teacher)
      await hasLeft(teacher)
      await camera.take(teacher, 'ended-teacher', look)
    } else {
      await teacher.keyboard.press('p')
      await withIcon(teacher, 'ellipsis-vertical', 'aside').last().click()
      await withIcon(teacher, 'user-round-x', 'section').last().click()
      await confirm(teacher)
      await teacher.waitForTimeout(500)
      await camera.take(teacher, 'removal', { ...look, sizes: look.sizes.slice(0, 4) }) // while its notice is there
    }
    await hasLeft(student)
    await camera.take(student, end, look)
    if (end === 'removed') await takeLobby({ teacher, student, camera, look })
    await Promise.all([teacher, student].map(page => page.context().close()))
  }
}

/** Somebody who was removed asks to come back. */
async function takeLobby({ teacher, student, camera, look }: ShownParts): Promise<void> {
  await student.locator('main button').first().click()
  await student.locator('main video').waitFor() // the own view
  await camera.take(student, 'lobby', look)
  await teacher.setViewportSize({ width: 1440, height: 900 })
  await camera.take(teacher, 'lobby-people', look) // the panel is still open
  await teacher.setViewportSize({ width: 1440, height: 900 })
  await teacher.keyboard.press('Escape')
  await camera.take(teacher, 'lobby-notice', look)
}

async function write(page: Page): Promise<void> {
  await page.keyboard.press('c')
  for (const message of MESSAGES) {
    await page.locator('aside textarea').fill(message)
    await page.locator('aside textarea').press('Enter')
  }
  await page.keyboard.press('Escape')
}

interface ShownParts {
  teacher: Page
  student: Page
  camera: Camera
  look: Look
}

async function takeTeacher(page: Page, camera: Camera, look: Look): Promise<void> {
  const closeTop = () => page.keyboard.press('Escape')
  await page.waitForTimeout(8_000) // notices have gone
  await camera.take(page, 'teacher', look)
  await page.keyboard.press('p')
  await camera.take(page, 'people', look)
  await camera.take(page, 'person', look, async () => {
    await closeTop()
    if (!(await page.locator('aside').isVisible())) await page.keyboard.press('p')
    await withIcon(page, 'ellipsis-vertical', 'aside').last().click()
  })
  await closeTop()
  await withIcon(page, 'sliders-horizontal', 'aside').click()
  await camera.take(page, 'class', look)
  await closeTop()
  await page.keyboard.press('c')
  await camera.take(page, 'chat', look)
  await page.locator('aside textarea').focus()
  await camera.take(page, 'chat-keyboard', { ...look, sizes: WITH_KEYBOARD })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  const open = (icon: string) => async () => {
    await closeTop()
    await withIcon(page, icon, 'section').last().click()
  }
  await camera.take(page, 'teacher-more', look, open('ellipsis'))
  await camera.take(page, 'leaving', look, open('chevron-up'))
  await closeTop()
  await page.keyboard.press('r')
  await camera.take(page, 'reactions', look)
  await closeTop()
  await page.keyboard.press(',')
  await camera.take(page, 'settings', look)
  await closeTop()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('header button[aria-keyshortcuts=G]').click()
  await camera.take(page, 'view', look)
  await closeTop()
}

/** What a teacher shows: a screen, and the board. */
async function takeShown({ teacher, student, camera, look }: ShownParts): Promise<void> {
  await teacher.setViewportSize({ width: 1440, height: 900 })
  await teacher.keyboard.press('s')
  await student.locator('[data-tile=screen] video').waitFor()
  await camera.take(teacher, 'sharing', look)
  await camera.take(student, 'screen', look)
  await teacher.keyboard.press('s')
  await teacher.keyboard.press('b')
  for (const page of [teacher, student]) await page.locator('[data-tile=board] canvas').first().waitFor()
  await camera.take(teacher, 'board', look)
  await camera.take(student, 'student-board', look)
  await teacher.keyboard.press('b')
}

async function takeStudent(page: Page, camera: Camera, look: Look): Promise<void> {
  await camera.take(page, 'student', look)
  await camera.take(page, 'student-more', look, async () => {
    await page.keyboard.press('Escape')
    await withIcon(page, 'ellipsis', 'section').last().click()
  })
  await page.keyboard.press('Escape')
}
