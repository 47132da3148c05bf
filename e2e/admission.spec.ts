import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { becomeGuest, useMembers } from './support/members.ts'
import { button, openPeople } from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { waitFor } from './support/wait.ts'

// One lesson with a teacher, to which others come by the plain room link.

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_INTEGRATION_PLAIN_LINK: 'lobby' }))
const open = useBrowser([], { keepsPagesOpen: true })
const enter = useMembers()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

describe('a visitor with the plain room link', () => {
  let lesson: Awaited<ReturnType<typeof createHostedRoom>>
  let teacher: Page
  let sam: Page
  beforeAll(async () => {
    lesson = await createHostedRoom(lectern.client(await lectern.addAccount()), 'admission', open)
    ;({ page: teacher } = await lesson.teacher({ withoutDevices: true }))
  })

  it('sees the recording notice, waits, and sees that entry was denied', async () => {
    ;({ page: sam } = await open(lesson.links.plain))
    await sam.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await sam.getByText('This lesson is recorded automatically').waitFor()
    await button(sam, 'Join').click()
    await heading(sam, 'The teacher will let you in soon').waitFor()
    await openPeople(teacher)
    await button(teacher, 'Deny Sam').click()
    await heading(sam, 'Your request to join was denied').waitFor()
    // It cannot be repeated at once.
    await button(sam, 'Ask to join again').click()
    await heading(sam, 'Your request to join was denied').waitFor()
    expect(await button(teacher, 'Deny Sam').count()).toBe(0)
    await sam.context().close()
  })

  it('returns to the lobby automatically after the server was killed, and joins when admitted', async () => {
    ;({ page: sam } = await open(lesson.links.plain))
    await sam.getByRole('textbox', { name: 'Your name' }).fill('Sam')
    await button(sam, 'Join').click()
    await button(teacher, 'Admit Sam').waitFor()
    let isNamedAgain = false
    teacher.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        isNamedAgain ||= String(payload).includes('"Sam"')
      }),
    )
    await lectern.stop('SIGKILL')
    const isLost = sam.getByText('Connection lost. Reconnecting…').and(sam.locator(':visible'))
    await isLost.waitFor()
    await lectern.start()
    await waitFor(() => isNamedAgain, 'Sam waits again, and the teacher is notified')
    await isLost.waitFor({ state: 'detached' })
    await heading(sam, 'The teacher will let you in soon').waitFor()
    await button(teacher, 'Admit Sam').click()
    await button(sam, 'Chat').waitFor()
    await sam.reload()
    await button(sam, 'Chat').waitFor()
    expect(await button(teacher, 'Admit Sam').count()).toBe(0)
  })

  it('is admitted together with everybody else who waits', async () => {
    const waiting = await Promise.all(
      ['Lea', 'Ben'].map(async name => {
        const account = await becomeGuest(lectern.url, name)
        return enter({ url: lectern.url, tag: lesson.tag, account })
      }),
    )
    for (const each of waiting) await each.enterLobby()
    await button(teacher, 'Admit all').click()
    await Promise.all(waiting.map(each => each.joinAdmitted()))
  })
})
