import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { makeLinks } from './support/links.ts'
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
const SCHEMES = ['light', 'dark'] as const
const PHONE = { width: 320, height: 640 }

type Scheme = (typeof SCHEMES)[number]

describe('the link pages', () => {
  it.each(SCHEMES)('have no accessibility violation and fit a phone: %s', async scheme => {
    for (const kind of KINDS) {
      const { page, context } = await open(links[kind], { colorScheme: scheme, reducedMotion: 'reduce' })
      await check(page, kind, scheme)
      await context.close()
    }
  })

  it.each(SCHEMES)('have none, and fit, while the server is out of reach: %s', async scheme => {
    const { page, context } = await open('about:blank', { colorScheme: scheme, reducedMotion: 'reduce' })
    await context.route('**/api/**', route => route.abort('connectionrefused'))
    await page.goto(links.teacher)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await check(page, 'unreachable', scheme)
  })
})

describe('the room', () => {
  const openWithDevices = useBrowser(FAKE_DEVICES)

  it.each(SCHEMES)('has no accessibility violation as a whole, alone and with the chat: %s', async scheme => {
    const look = { colorScheme: scheme, reducedMotion: 'reduce' } as const
    const teacher = await Visitor.join(await openWithDevices(links.teacher, look))
    await check(teacher.page, 'room-alone', scheme)
    const student = await Visitor.join(await openWithDevices(links.student, look))
    await Promise.all([teacher.sees('Mia Andersson'), student.sees('Anna Petrova')])
    await Promise.all([openChat(teacher.page), openChat(student.page)])
    await say(student.page, 'Good morning: https://a.example/algebra')
    await say(teacher.page, `Hello, ${scheme}`)
    await said(student.page, `Hello, ${scheme}`).waitFor()
    await field(teacher.page).fill('half a sen')
    for (const [name, { page }] of [
      ['teacher', teacher],
      ['student', student],
    ] as const)
      await check(page, `room-chat-${name}`, scheme)
  })
})

async function check(page: Page, name: string, scheme: Scheme) {
  const before = page.viewportSize()
  await page.getByRole('heading', { level: 1 }).and(page.locator(':not(.visually-hidden)')).waitFor()
  await shoot(page, `${name}-${scheme}`)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect({ name, violations: violations.map(({ id, nodes }) => [id, nodes[0]?.html]) }).toEqual({
    name,
    violations: [],
  })

  await page.setViewportSize(PHONE)
  await shoot(page, `${name}-${scheme}-phone`, { fullPage: true })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect({ name, overflow }).toEqual({ name, overflow: 0 })
  if (before) await page.setViewportSize(before)
}
