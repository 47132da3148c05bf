import type { Page } from 'playwright-core'
import { beforeAll, describe, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { makeLinks } from './support/links.ts'
import { look, PHONE } from './support/looks.ts'
import { field, openChat, said, say } from './support/panels.ts'
import { shotsOf } from './support/shots.ts'
import { Visitor } from './support/visitor.ts'

const lectern = useLectern()
const open = useBrowser()
const shoot = shotsOf('pages')
let links: Awaited<ReturnType<typeof makeLinks>>
beforeAll(async () => {
  links = await makeLinks(lectern.client(await lectern.addAccount()))
})

const KINDS = ['teacher', 'plain', 'closed', 'cancelled', 'rotated', 'forged', 'cut', 'unknown'] as const
const STILL = { reducedMotion: 'reduce' } as const

describe('the link pages', () => {
  it('have no accessibility violation and fit a phone', async () => {
    for (const kind of KINDS) {
      const { page, context } = await open(links[kind], STILL)
      await check(page, kind)
      await context.close()
    }
  })

  it('have none, and fit, while the server is out of reach', async () => {
    const { page, context } = await open('about:blank', STILL)
    await context.route('**/api/**', route => route.abort('connectionrefused'))
    await page.goto(links.teacher)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await check(page, 'unreachable')
  })
})

describe('the room', () => {
  const openWithDevices = useBrowser(FAKE_DEVICES)

  it('has no accessibility violation as a whole, alone and with the chat', async () => {
    const teacher = await Visitor.join(await openWithDevices(links.teacher, STILL))
    await check(teacher.page, 'room-alone')
    const student = await Visitor.join(await openWithDevices(links.student, STILL))
    await Promise.all([teacher.sees('Mia Andersson'), student.sees('Anna Petrova')])
    await Promise.all([openChat(teacher.page), openChat(student.page)])
    await say(student.page, 'Good morning: https://a.example/algebra')
    await say(teacher.page, 'Hello')
    await said(student.page, 'Hello').waitFor()
    await field(teacher.page).fill('half a sen')
    for (const [name, { page }] of [
      ['teacher', teacher],
      ['student', student],
    ] as const)
      await check(page, `room-chat-${name}`)
  })
})

async function check(page: Page, name: string) {
  await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.visually-hidden)')).waitFor()
  await look(page, name, { shoot, sizes: [PHONE] })
}
