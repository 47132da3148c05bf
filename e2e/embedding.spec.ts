import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'
import { useSite } from './support/site.ts'
import { waitFor } from './support/wait.ts'

const partner = useSite()
const stranger = useSite()
const lectern = useLectern(() => ({ SVC_INTEGRATION_FRAME_ANCESTORS: partner.origin }))
const open = useBrowser([], { isFullBrowser: true })
beforeAll(async () => {
  const links = await createLinks(lectern.client(await lectern.addAccount()))
  const allow = 'camera; microphone; autoplay; fullscreen; display-capture'
  const page = `<!doctype html><title>Portal</title><iframe src="${links.teacher}" allow="${allow}" width="800" height="600"></iframe>`
  partner.html = page
  stranger.html = page
})

describe('a link page in an iframe', () => {
  it('loads on a page of an origin in FrameAncestors', async () => {
    const { page, console } = await open(partner.origin)
    await page.frameLocator('iframe').getByText('Anna Petrova').waitFor()
    expect(console).toEqual([])
  })

  it('is blocked on a page of any other origin', async () => {
    const { page, console } = await open(stranger.origin)
    await waitFor(() => console.some(line => line.includes('frame-ancestors')), 'the browser refuses')
    const frame = page.frames().find(each => each.parentFrame() !== null)
    expect(frame?.url()).toMatch(/^chrome-error:/)
    expect(await frame?.getByText('Anna Petrova').count()).toBe(0)
  })

  it('can use camera and microphone in an iframe with that permission', async () => {
    const { page } = await open(partner.origin)
    await page.frameLocator('iframe').getByText('Anna Petrova').waitFor()
    const frame = page.frames().find(each => each.parentFrame() !== null)
    // Chromium combines the header of the page and the attribute of the frame.
    const allowed = await frame?.evaluate(() => {
      const { featurePolicy } = document as unknown as { featurePolicy: { allowedFeatures(): string[] } }
      return featurePolicy.allowedFeatures()
    })
    for (const feature of ['camera', 'microphone', 'display-capture', 'fullscreen', 'autoplay'])
      expect(allowed).toContain(feature)
  })
})
