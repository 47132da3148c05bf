import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'

const lectern = useLectern()
const open = useBrowser()
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

describe('the page of a link', () => {
  it('shows the room and its person, also after a reload', async () => {
    const { page } = await open(links.teacher)
    await page.getByRole('heading', { level: 1, name: 'Algebra: quadratic equations' }).waitFor()
    await page.getByText('Anna Petrova').waitFor()
    await page.getByText('This link is personal.').waitFor()
    await page.reload()
    await page.getByText('Anna Petrova').waitFor()
    expect(page.url()).toBe(links.teacher)
    const { origin } = new URL(links.plain)
    const textOf = async (link: string, text: string) => {
      await page.goto(link)
      await page.getByText(text).first().waitFor()
      return (await page.locator('main').textContent()) ?? ''
    }
    const student = await textOf(links.student, 'Mia Andersson')
    expect(student).not.toContain('Anna Petrova')
    expect(student).not.toContain('This link is personal.')
    const plain = await textOf(links.plain, 'Algebra')
    for (const name of ['Anna Petrova', 'Mia Andersson']) expect(plain).not.toContain(name)
    await textOf(`${links.student}%`, 'Mia Andersson') // copied with a sign too many
    await textOf(`${origin}/some/where`, 'Page not found')
  })

  it.each([
    ['to a closed room', 'closed', 'This room is closed', 'room_closed'],
    ['that this server did not make', 'forged', 'This link is damaged', 'link_invalid'],
    ['to a room that never was', 'unknown', 'This meeting does not exist', 'conference_not_found'],
  ] as const)('says what is wrong with a link %s', async (_, kind, title, code) => {
    const { page } = await open(links[kind])
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText(code).waitFor()
    expect(await page.title()).toBe(title)
  })

  it('retries while the server is unreachable, and opens when it is back', async () => {
    const { page, context } = await open('about:blank')
    await context.route('**/api/**', route => route.abort('connectionrefused'))
    await page.goto(links.teacher)
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await context.unroute('**/api/**')
    await page.getByText('Anna Petrova').waitFor() // without pressing the button
  })

  it('says what to do when its script does not load, and not before', async () => {
    const { page, context } = await open('about:blank')
    await context.route('**/assets/*.js', route => route.abort('connectionreset'))
    await page.goto(links.teacher)
    const hint = page.getByText('This page takes long to load.')
    expect([await hint.count(), await hint.isVisible()]).toEqual([1, false])
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await hint.waitFor()
    await context.unroute('**/assets/*.js')
    await page.reload()
    await page.getByText('Anna Petrova').waitFor()
    expect(await hint.count()).toBe(0)
  })
})
