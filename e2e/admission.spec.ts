import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, openChat, openPeople, useLessonPages } from './support/panels.ts'
import { waitFor } from './support/wait.ts'

/** Read at each start of the server. */
const settings = { SVC_INTEGRATION_PLAIN_LINK: 'lobby' }
const { lectern, open, makeRoom, isLive, begin, enter, checkPanel } = useLessonPages('admission', settings)

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const endForAll = async (teacher: Page) => {
  await button(teacher, 'End for all').click()
  await teacher.getByRole('dialog').getByRole('button', { name: 'End for all' }).click()
}
const metric = async (name: string) => {
  const metrics = await (await fetch(`${lectern.url}/metrics`)).text()
  return Number(new RegExp(`^\\w*${name} (\\d+)`, 'm').exec(metrics)?.[1])
}

/** Opens the plain room link and waits for the lobby page. */
async function comeByPlainLink(link: string, name: string, options = {}): Promise<Page> {
  const { page } = await open(link, { reducedMotion: 'reduce', ...options })
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByText('This meeting is recorded automatically').waitFor()
  await button(page, 'Join').click()
  await heading(page, 'The teacher will let you in soon').waitFor()
  return page
}

describe('a visitor with the plain room link', () => {
  it('sees the recording notice, waits with a self-view, and joins when admitted', async () => {
    const { room, teacher } = await begin()
    const sam = await comeByPlainLink(room.join_url, 'Sam')
    await sam.getByLabel('Camera preview').or(sam.locator('video')).first().waitFor()
    await checkPanel(sam, 'waiting')
    await button(teacher, 'Admit Sam').waitFor()
    await checkPanel(teacher, 'notice')
    await button(teacher, 'Admit Sam').press('Enter')
    await button(sam, 'Chat').waitFor()
    await sam.reload()
    await button(sam, 'Chat').waitFor()
  })

  it('sees that entry was denied, and cannot request it again immediately', async () => {
    const { room, teacher } = await begin()
    await openPeople(teacher)
    const sam = await comeByPlainLink(room.join_url, 'Sam')
    await button(teacher, 'Deny Sam').click()
    await heading(sam, 'Your request to join was denied').waitFor()
    await checkPanel(sam, 'denied')
    await button(sam, 'Rejoin').click()
    await button(sam, 'Join').click()
    await heading(sam, 'Your request to join was denied').waitFor()
    expect(await button(teacher, 'Deny Sam').count()).toBe(0)
  })
})

describe('visitors in the lobby', () => {
  it('are listed with long, left-to-right and right-to-left names, and can all be admitted at once', async () => {
    const { room, teacher } = await begin()
    const names = ['Sam', `${'Wolfeschlegelsteinhausen'.repeat(3)} of Bergerdorff`, 'עדה לאבלייס']
    const waiting: Page[] = []
    for (const name of names) waiting.push(await comeByPlainLink(room.join_url, name))
    await waitFor(async () => (await button(teacher, /^Admit /).count()) === 4, 'all are listed')
    await checkPanel(teacher, 'notice-of-three')
    // On the smallest phone the longest waiting person can be admitted without scrolling, also beside an open panel.
    const size = teacher.viewportSize()
    await teacher.setViewportSize({ width: 320, height: 568 })
    const isInView = () =>
      button(teacher, 'Admit Sam').evaluate(element => {
        const list = element.closest('section')?.parentElement?.getBoundingClientRect()
        return element.getBoundingClientRect().bottom <= (list?.bottom ?? 0)
      })
    await openChat(teacher)
    await expect.poll(isInView).toBe(true)
    await button(teacher, 'Close chat').click()
    await expect.poll(isInView).toBe(true)
    if (size) await teacher.setViewportSize(size)
    await openPeople(teacher)
    await checkPanel(teacher, 'people')
    await button(teacher, 'Admit all').click()
    await Promise.all(waiting.map(page => button(page, 'Chat').waitFor()))
  })

  it('see the lobby in their own language', async () => {
    const { room } = await begin()
    const { page } = await open(room.join_url, { reducedMotion: 'reduce', locale: 'ru-RU' })
    await page.getByRole('textbox', { name: 'Ваше имя' }).fill('Саша')
    await page.getByRole('button', { name: 'Присоединиться', exact: true }).click()
    await heading(page, 'Преподаватель скоро вас впустит').waitFor()
    const isPlaying = () => page.evaluate(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
    await waitFor(isPlaying, 'the self-view plays')
    await checkPanel(page, 'waiting-ru')
  })

  it('return to the lobby automatically after the server was killed, and can be admitted', async () => {
    const { room, teacher } = await begin()
    const sam = await comeByPlainLink(room.join_url, 'Sam')
    await button(teacher, 'Admit Sam').waitFor()
    const namesSam: string[] = []
    teacher.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"Sam"')) namesSam.push(String(payload))
      }),
    )
    await lectern.stop('SIGKILL')
    const isLost = sam.getByText('Connection lost. Reconnecting…').and(sam.locator(':visible'))
    await isLost.waitFor()
    await lectern.start()
    await waitFor(async () => (await metric('conference_waiting')) === 1, 'Sam waits again')
    await isLost.waitFor({ state: 'detached' })
    await waitFor(async () => namesSam.length > 0, 'the teacher is notified again')
    await heading(sam, 'The teacher will let you in soon').waitFor()
    // Uses the pointer, as the notice covers the stage.
    await button(teacher, 'Admit Sam').click()
    await button(sam, 'Chat').waitFor()
    expect(await button(teacher, 'Admit Sam').count()).toBe(0)
  })
})

describe('a locked room', () => {
  it('readmits a student who reloads, and sends new visitors to the lobby', async () => {
    const { room, teacher, student } = await begin()
    await openPeople(teacher)
    const lock = teacher.getByRole('checkbox', { name: 'Lock meeting' })
    await lock.click()
    await waitFor(() => lock.isChecked(), 'the room is locked')
    await student.reload()
    await button(student, 'Chat').waitFor()
    const { page } = await open(room.student_join_url)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Lea')
    await button(page, 'Join').click()
    await heading(page, 'The teacher will let you in soon').waitFor()
    await button(teacher, 'Admit Lea').click()
    await button(page, 'Chat').waitFor()
  })
})

describe('a room whose session was ended for everybody', () => {
  it('keeps the student in the lobby until the teacher is back, without a session that would be recorded', async () => {
    const room = await makeRoom()
    const teacher = await enter(room.teacher_join_url)
    const student = await enter(room.student_join_url)
    await endForAll(teacher)
    await heading(student, 'The meeting has ended').waitFor()
    await checkPanel(student, 'ended-student')
    await heading(teacher, 'The meeting has ended').waitFor()
    await checkPanel(teacher, 'ended-teacher')
    await button(student, 'Rejoin').click()
    await button(student, 'Join').click()
    await heading(student, 'The teacher has ended the meeting').waitFor()
    await checkPanel(student, 'not-started')
    expect(await isLive(room)).toBe(false)
    await button(teacher, 'Rejoin').click()
    await button(teacher, 'Join').click()
    await button(student, 'Chat').waitFor()
  })
})

describe('a server whose plain room links', () => {
  const restart = async (plainLink: 'open' | 'closed') => {
    settings.SVC_INTEGRATION_PLAIN_LINK = plainLink
    await lectern.stop()
    await lectern.start()
  }

  it('are closed rejects them with an explanation, and accepts personal links', async () => {
    await restart('closed')
    const room = await makeRoom()
    const { page } = await open(room.join_url, { reducedMotion: 'reduce' })
    await heading(page, 'This room requires a personal link').waitFor()
    await checkPanel(page, 'plain-link-closed')
    expect(await button(page, 'Join').count()).toBe(0)
    await enter(room.student_join_url)
  })

  it('are open admits everybody immediately', async () => {
    await restart('open')
    const room = await makeRoom()
    const { page } = await open(room.join_url)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await button(page, 'Join').click()
    await button(page, 'Chat').waitFor()
  })
})
