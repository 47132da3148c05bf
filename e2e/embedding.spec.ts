import { readdirSync, readFileSync } from 'node:fs'
import type { PartnerClient } from '@lectern/partner'
import type { FrameLocator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { repositoryPath } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { useSite } from './support/site.ts'
import { waitFor } from './support/wait.ts'

const stranger = useSite()
const portal = useSite()
const lectern = useLectern(() => ({ SVC_INTEGRATION_FRAME_ANCESTORS: portal.origin }))
const open = useBrowser(FAKE_DEVICES)
let links: Awaited<ReturnType<typeof createLinks>>
let client: PartnerClient
beforeAll(async () => {
  client = lectern.client(await lectern.addAccount())
  links = await createLinks(client)
})

describe('a link page in an iframe', () => {
  it('is blocked on a page of an origin that FrameAncestors does not list', async () => {
    stranger.html = `<!doctype html><title>Stranger</title><iframe src="${links.teacher}"></iframe>`
    const { page, console } = await open(stranger.origin)
    await waitFor(() => console.some(line => line.includes('frame-ancestors')), 'the browser refuses')
    const frame = page.frames().find(each => each.parentFrame() !== null)
    expect(frame?.url()).toMatch(/^chrome-error:/)
    expect(await frame?.getByText('Anna Petrova').count()).toBe(0)
  })

  it('is reported as unreachable there within ten seconds, by the script of the server', async () => {
    stranger.html = `<!doctype html><title>Stranger</title><script src="${lectern.url}/embed.js"></script>
      <lectern-room src="${links.teacher}"></lectern-room>`
    const { page } = await open(stranger.origin)
    const code = await page.locator('lectern-room').evaluate(
      element =>
        new Promise(resolve => {
          element.addEventListener('error', event => resolve((event as CustomEvent).detail.code))
        }),
    )
    expect(code).toBe('unreachable')
  })
})

describe('a room on a page with the script of the server', () => {
  it('shows Join at its default height', async () => {
    portal.html = `<!doctype html><title>Portal</title><script src="${lectern.url}/embed.js"></script>
      <lectern-room src="${links.teacher}"></lectern-room>`
    const { page } = await open(portal.origin)
    for (const width of [360, 700, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const frame = page.frameLocator('lectern-room iframe')
      await frame.getByText('Your microphone works').waitFor({ state: 'attached' })
      const join = await frame.getByRole('button', { name: 'Join' }).boundingBox()
      const room = await page.locator('lectern-room').boundingBox()
      expect((join?.y ?? 0) + (join?.height ?? 0), `${width}`).toBeLessThanOrEqual(
        (room?.y ?? 0) + (room?.height ?? 0),
      )
      expect(join?.height, `${width}`).toBeGreaterThan(0)
    }
  })
})

/** A page with a room, that keeps its events, and beside it a frame of another origin. */
function portalPage(link: string): string {
  return `<!doctype html><title>Portal</title>
    <lectern-room src="${link}" theme="dark" style="width: 800px; height: 600px"></lectern-room>
    <iframe src="${stranger.origin}"></iframe>
    <script type="module" src="/portal.js"></script>`
}

const PORTAL_SCRIPT = `
  import '/embed/element.js'
  const element = document.querySelector('lectern-room')
  window.events = []
  for (const name of ['joined', 'participants', 'recording', 'devices', 'left', 'ended', 'error'])
    element.addEventListener(name, ({ detail }) => window.events.push(detail))
  window.command = (name, ...args) => element.room[name](...args).then(() => 'done', error => error.code)
`

type Portal = {
  events: { name: string }[]
  command: (name: string, ...args: unknown[]) => Promise<string>
}

describe('a room on a page with @lectern/embed', () => {
  beforeAll(() => {
    const folder = repositoryPath('packages/embed/dist')
    for (const name of readdirSync(folder).filter(each => each.endsWith('.js')))
      portal.modules.set(`/embed/${name}`, readFileSync(`${folder}/${name}`, 'utf8'))
    portal.modules.set('/portal.js', PORTAL_SCRIPT)
    stranger.html = '<!doctype html><title>Stranger</title>'
  })

  const eventsOf = (page: Page) => page.evaluate(() => (window as unknown as Portal).events)
  const waitForEvent = (page: Page, event: object) =>
    waitFor(
      async () => {
        const events = await eventsOf(page)
        return events.some(each =>
          Object.entries(event).every(([key, value]) => each[key as never] === value),
        )
      },
      `the event ${JSON.stringify(event)}`,
    )
  const command = (page: Page, name: string, ...args: unknown[]) =>
    page.evaluate(([name, args]) => (window as unknown as Portal).command(name, ...args), [name, args] as [
      string,
      unknown[],
    ])
  const strangerFrame = (page: Page) => {
    const frame = page.frames().find(each => each.url().startsWith(stranger.origin))
    if (!frame) throw new Error('The frame of the stranger is missing.')
    return frame
  }
  const isPressed = (frame: FrameLocator, name: string) =>
    frame.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')

  it('reports events and takes commands, and turns devices on only when the person agrees', async () => {
    portal.html = portalPage(links.teacher)
    const { page, console } = await open(portal.origin)
    const frame = page.frameLocator('lectern-room iframe')
    expect(await command(page, 'setMicrophone', true)).toBe('not_joined')
    await frame.getByText('Your microphone works').waitFor()
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark')
    // Chromium combines the header of the page and the attribute of the frame.
    const inside = page.frames().find(each => each.url().startsWith(lectern.url))
    const allowed = await inside?.evaluate(() => {
      const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures(): string[] } }
      return featurePolicy.allowedFeatures()
    })
    for (const feature of ['camera', 'microphone', 'display-capture', 'fullscreen', 'autoplay'])
      expect(allowed).toContain(feature)
    await frame.getByRole('button', { name: 'Join' }).click()
    await waitForEvent(page, { name: 'joined', participants: 1, microphone: true, camera: true })
    await waitFor(async () => (await isPressed(frame, 'Microphone')) === 'true', 'the microphone is on')

    // Off at once; on after a question, which names the page.
    expect(await command(page, 'setMicrophone', false)).toBe('done')
    await waitForEvent(page, { name: 'devices', microphone: false })
    const asked = command(page, 'setMicrophone', true)
    const question = frame.getByRole('dialog', { name: `${new URL(portal.origin).host} would like` })
    await question.waitFor()
    expect(await isPressed(frame, 'Microphone')).toBe('false')
    expect(await command(page, 'setCamera', true)).toBe('done') // it is on
    await question.getByRole('button', { name: 'Not now' }).click()
    expect(await asked).toBe('declined')
    expect(await isPressed(frame, 'Microphone')).toBe('false')
    const again = command(page, 'setMicrophone', true)
    await question.getByRole('button', { name: 'Turn on' }).click()
    expect(await again).toBe('done')
    await waitFor(async () => (await isPressed(frame, 'Microphone')) === 'true', 'the microphone is on again')

    expect(await command(page, 'openChat')).toBe('done')
    await frame.getByRole('tab', { name: 'Chat' }).waitFor()
    expect(await command(page, 'setLanguage', 'xx')).toBe('unknown_language')
    expect(await command(page, 'setLanguage', 'ru')).toBe('done')
    await waitFor(
      async () => (await frame.locator('html').getAttribute('lang')) === 'ru',
      'the page is in Russian',
    )
    expect(await command(page, 'setLanguage', 'en')).toBe('done')

    // Frames beside the room, and pages around it, have no permission: their messages change nothing.
    await strangerFrame(page).evaluate(() => {
      const room = window.parent.frames[0]
      const leave = { lectern: 1, type: 'command', id: 1, command: { name: 'leave' } }
      for (const message of [{ lectern: 1, type: 'connect' }, leave]) room?.postMessage(message, '*')
      const ended = { lectern: 1, type: 'event', event: { name: 'ended', reason: 'closed' } }
      for (const message of [{ lectern: 1, type: 'ready' }, ended]) window.parent.postMessage(message, '*')
    })
    // The page itself may send anything: noise is dropped, a flood is refused, and the room goes on.
    await page.evaluate(origin => {
      const room = document.querySelector('lectern-room')?.shadowRoot?.querySelector('iframe')?.contentWindow
      for (const noise of [
        null,
        'leave',
        { lectern: 1 },
        { lectern: 1, type: 'command', id: 1, command: {} },
      ])
        room?.postMessage(noise, origin)
      for (let id = 1e6; id < 1e6 + 5000; id++)
        room?.postMessage({ lectern: 1, type: 'command', id, command: { name: 'open_chat' } }, origin)
    }, lectern.url)
    await waitFor(async () => (await command(page, 'openChat')) === 'done', 'commands are carried out again')
    expect((await eventsOf(page)).filter(({ name }) => name !== 'devices').map(({ name }) => name)).toEqual([
      'joined',
    ])

    // The end of the room, by the partner.
    await client.closeRoom('lesson')
    await waitForEvent(page, { name: 'left', reason: 'closed' })
    await waitForEvent(page, { name: 'ended', reason: 'closed' })
    // Until then it may be refused, because there were too many.
    await waitFor(async () => (await command(page, 'leave')) === 'not_joined', 'there is nothing to leave')
    expect(console.filter(line => !line.includes('frame-ancestors'))).toEqual([])
  })

  it('reports a link that does not open', async () => {
    portal.html = portalPage(`${lectern.url}/j/${'x'.repeat(43)}`)
    const { page } = await open(portal.origin)
    await waitFor(
      async () => (await eventsOf(page)).some(({ name }) => name === 'error'),
      'an error is reported',
    )
  })
})
