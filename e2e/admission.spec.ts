import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, openPeople, useLessons } from './support/panels.ts'
import { waitFor } from './support/wait.ts'

const { lectern, open, makeRoom, begin, enter, look } = useLessons('admission')

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const endForAll = async (teacher: Page) => {
  await button(teacher, 'End for all').click()
  await teacher.getByRole('dialog').getByRole('button', { name: 'End for all' }).click()
}
const recordingJobs = async () => {
  const metrics = await (await fetch(`${lectern.url}/metrics`)).text()
  return Number(/^\w*recording_jobs_queued (\d+)/m.exec(metrics)?.[1])
}

/** By the plain link, as far as the waiting page. */
async function comeByPlainLink(link: string, name: string, options = {}): Promise<Page> {
  const { page } = await open(link, { reducedMotion: 'reduce', ...options })
  await page.getByRole('textbox', { name: 'Your name' }).fill(name)
  await page.getByText('This meeting is recorded automatically').waitFor()
  await button(page, 'Join').click()
  await heading(page, 'The host will let you in').waitFor()
  return page
}

describe('a visitor by the plain link', () => {
  it('is told of the recording, waits with the own picture, and comes in when admitted', async () => {
    const { room, teacher } = await begin()
    const sam = await comeByPlainLink(room.join_url, 'Sam')
    await sam.getByLabel('Your picture').or(sam.locator('video')).first().waitFor()
    await look(sam, 'waiting')
    await button(teacher, 'Admit Sam').waitFor()
    await look(teacher, 'notice')
    await button(teacher, 'Admit Sam').press('Enter')
    await button(sam, 'Chat').waitFor()
    await sam.reload()
    await button(sam, 'Chat').waitFor()
  })

  it('is denied, and told so, and cannot ask again at once', async () => {
    const { room, teacher } = await begin()
    await openPeople(teacher)
    const sam = await comeByPlainLink(room.join_url, 'Sam')
    await button(teacher, 'Deny Sam').click()
    await heading(sam, 'You were not let in').waitFor()
    await look(sam, 'denied')
    await button(sam, 'Join again').click()
    await button(sam, 'Join').click()
    await heading(sam, 'You were not let in').waitFor()
    expect(await button(teacher, 'Deny Sam').count()).toBe(0)
  })
})

describe('a locked room', () => {
  it('lets a student in again who reloads, and has somebody new wait', async () => {
    const { room, teacher, student } = await begin()
    await openPeople(teacher)
    const lock = teacher.getByRole('checkbox', { name: 'Lock the room' })
    await lock.click()
    await waitFor(() => lock.isChecked(), 'the room is locked')
    await student.reload()
    await button(student, 'Chat').waitFor()
    const { page } = await open(room.student_join_url)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Lea')
    await button(page, 'Join').click()
    await heading(page, 'The host will let you in').waitFor()
    await button(teacher, 'Admit Lea').click()
    await button(page, 'Chat').waitFor()
  })
})

describe('a room whose session was ended for everybody', () => {
  it('has the student wait for the teacher, and begins no second recording', async () => {
    const room = await makeRoom()
    const teacher = await enter(room.teacher_join_url)
    const student = await enter(room.student_join_url)
    await endForAll(teacher)
    await heading(student, 'The meeting has ended').waitFor()
    const jobs = await recordingJobs()
    await button(student, 'Join again').click()
    await button(student, 'Join').click()
    await heading(student, 'The host has ended the meeting').waitFor()
    await look(student, 'not-started')
    expect(await recordingJobs()).toBe(jobs)
    await button(teacher, 'Join again').click()
    await button(teacher, 'Join').click()
    await button(student, 'Chat').waitFor()
  })
})
