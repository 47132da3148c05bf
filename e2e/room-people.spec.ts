import type { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { becomeGuest, useMembers } from './support/members.ts'
import {
  button,
  field,
  inMenuOf,
  messageWith,
  openChat,
  openPeople,
  sendMessage,
  setClassRule,
} from './support/panels.ts'
import { createHostedRoom } from './support/rooms.ts'
import { endForEveryone } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

// One lesson of two pages without devices: what each does reaches the other through the server.

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })
const enter = useMembers()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const tile = (page: Page, name: string) => page.locator('[data-tile=person]').filter({ hasText: name })

describe('the participants', () => {
  let partner: PartnerClient
  let lesson: Awaited<ReturnType<typeof createHostedRoom>>
  let teacher: Page
  let student: Page
  beforeAll(async () => {
    partner = lectern.client(await lectern.addAccount())
    lesson = await createHostedRoom(partner, 'people', open)
    const join = { withoutDevices: true, reducedMotion: 'reduce' } as const
    ;({ page: teacher } = await lesson.teacher(join))
    ;({ page: student } = await lesson.student(join))
    await openPeople(teacher)
  })
  const askAgain = (page: Page) => button(page, 'Ask to join again').click()

  it('write to each other', async () => {
    await openChat(teacher)
    await openChat(student)
    await field(student).pressSequentially('one')
    await teacher.getByText('Mia Andersson is typing…').waitFor()
    await sendMessage(student, 'one <b>and</b> two')
    await messageWith(teacher, 'one <b>and</b> two').waitFor()
    await openPeople(teacher)
    await setClassRule(teacher, 'Write in chat')
    await student.getByText('Only the teacher can send messages right now.').waitFor()
    await openChat(teacher)
    await sendMessage(teacher, 'quiet, please')
    await messageWith(student, 'quiet, please').waitFor()
    await openPeople(teacher)
    await setClassRule(teacher, 'Write in chat')
    await waitFor(() => field(student).isEditable(), 'everybody can write again')
  })

  it('react, rename themselves and raise a hand', async () => {
    await openPeople(student)
    expect(await button(student, /^(Remove|Mute)/).count()).toBe(0)
    await inMenuOf(student, 'Mia Andersson', 'Change name')
    await student.keyboard.type('Mia A.')
    await student.keyboard.press('Enter')
    await tile(teacher, 'Mia A.').waitFor()
    await button(student, 'Raise hand').click()
    await button(teacher, 'Lower Mia A.’s hand').click()
    await student.getByText('Your hand was lowered').first().waitFor()
    // It is gone after five seconds.
    const shown = tile(teacher, 'Mia A.').locator('[data-reaction=clap]').waitFor()
    await button(student, 'Reactions').click()
    await button(student, 'Applause').click()
    await shown
  })

  it('can do what a moderator permits', async () => {
    await button(teacher, 'Options for Mia A.').click()
    const options = teacher.getByRole('region', { name: 'Options for Mia A.' })
    await options.getByRole('checkbox', { name: 'Can write in chat' }).click()
    await student.getByText('You cannot write in the chat right now').first().waitFor()
    const notified = student.getByText('You are in the spotlight now').first().waitFor()
    await options.getByRole('button', { name: 'Spotlight for everyone' }).click()
    await notified
    await setClassRule(teacher, 'Turn on camera')
    const camera = student.getByRole('region', { name: 'Controls' }).getByRole('button', { name: 'Camera' })
    await expect.poll(() => camera.getAttribute('aria-disabled')).toBe('true')
  })

  it('are joined by nobody without approval while a moderator locks the room, but stay in it', async () => {
    await setClassRule(teacher, 'Lock lesson')
    await teacher.getByRole('img', { name: 'The lesson is locked' }).waitFor()
    await student.reload()
    await button(student, 'Chat').waitFor()
    const sam = enter({
      url: lectern.url,
      tag: lesson.tag,
      account: await becomeGuest(lectern.url, 'Sam'),
      link: lesson.links.student,
      name: 'Sam',
    })
    await sam.enterLobby()
    await button(teacher, 'Admit Sam').click()
    await sam.joinAdmitted()
    await button(teacher, 'Options for Sam').waitFor()
  })

  it('can be removed by a moderator, and readmitted', async () => {
    await inMenuOf(teacher, 'Mia', 'Remove…')
    await teacher.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await heading(student, 'You were removed from the lesson').waitFor()
    await askAgain(student)
    await button(teacher, /^Admit .*Mia/).click()
    await setClassRule(teacher, 'Lock lesson')
    await button(teacher, /^Options for Mia/).waitFor()
  })

  it('wait after the session was ended for everybody until the teacher is back, without a recording', async () => {
    await endForEveryone(teacher)
    await student.getByRole('heading', { level: 1, name: / ended the lesson$/ }).waitFor()
    await heading(teacher, 'Lesson finished').waitFor()
    await button(student, 'Back to the lesson page').click()
    await button(student, 'Join').click()
    await heading(student, 'The teacher has ended the lesson').waitFor()
    expect((await partner.roomStatus('people')).live).toBe(false)
    await button(teacher, 'Start again').click()
    await button(student, 'Chat').waitFor()
  })
})
