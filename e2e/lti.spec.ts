import { freePort, startTestPlatform } from '@lectern/server/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser, withBlockedStorage } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'

let platform: Awaited<ReturnType<typeof startTestPlatform>>
let port = 0
beforeAll(async () => {
  platform = await startTestPlatform()
  port = await freePort()
})
// The platform knows the address before the server starts.
const lectern = useLectern(() => ({
  SVC_SERVER_PORT: String(port),
  SVC_SERVER_URL: `http://127.0.0.1:${port}`,
  SVC_INTEGRATION_FRAME_ANCESTORS: platform.url,
  SVC_LTI_ENABLED: '1',
  SVC_LTI_ALLOW_INSECURE_PLATFORMS: '1',
}))
const makeFolder = useFolders()
const open = useBrowser(FAKE_DEVICES)
beforeAll(async () => {
  await lectern.addAccount('moodle')
  const { link } = await lectern.command('lti', 'invite', '--account', 'moodle')
  const configuration = encodeURIComponent(`${platform.url}/configuration`)
  await open(`${link}&openid_configuration=${configuration}`).then(({ page }) =>
    page.getByText('Registered. You can close this window.').waitFor(),
  )
})
beforeEach(() => platform.launchAs({ sub: 'u1', name: 'Anna', role: 'Instructor' }))
afterAll(() => platform.close())

const lessonIn = (page: Page) => page.frameLocator('iframe[title="Lesson"]')

describe('a lesson in a course', () => {
  it('opens in its frame, and another person meets the first one there', async () => {
    const { page, context } = await open(`${platform.url}/course`)
    await lessonIn(page).getByRole('button', { name: 'Join' }).click()
    await lessonIn(page).getByRole('button', { name: 'Leave' }).waitFor()
    platform.launchAs({ sub: 'u2', name: 'Ben', role: 'Learner' })
    const student = await open(`${platform.url}/course`)
    await lessonIn(student.page).getByRole('button', { name: 'Join' }).click()
    await lessonIn(student.page).getByText('Anna').first().waitFor()
    expect(await context.cookies()).toEqual([])
  })

  it('opens through the storage of the platform where the browser blocks all storage', async () => {
    await withBlockedStorage(
      makeFolder(),
      async ({ page }) => {
        await page.goto(`${platform.url}/course`)
        await lessonIn(page).getByText('Algebra').first().waitFor()
        await lessonIn(page).getByRole('button', { name: 'Join' }).waitFor()
      },
      FAKE_DEVICES,
    )
  })

  it('offers a new window where nothing can be stored', async () => {
    await withBlockedStorage(makeFolder(), async ({ page }) => {
      await page.goto(`${platform.url}/course-without-storage`)
      const link = lessonIn(page).getByRole('link', { name: 'Open in a new window' })
      expect(await link.getAttribute('href')).toContain('/lti/login?iss=')
    })
  })

  it('is added by a teacher, who presses twice', async () => {
    platform.launchAs(
      { sub: 'u1', name: 'Anna', role: 'Instructor' },
      {
        'https://purl.imsglobal.org/spec/lti/claim/message_type': 'LtiDeepLinkingRequest',
        'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
          deep_link_return_url: `${platform.url}/return`,
        },
      },
    )
    const { page } = await open(`${platform.url}/course`)
    const lesson = lessonIn(page)
    await lesson.getByLabel('Title of the lesson').fill('Geometry')
    let sent = 0
    page.on('request', request => {
      if (request.url().endsWith('/lti/enter')) sent++
    })
    await lesson.getByRole('button', { name: 'Add the lesson' }).dblclick()
    await lesson.getByText('Added: [{"type":"ltiResourceLink","title":"Geometry"').waitFor()
    expect(sent).toBe(1)
  })

  it('opens in that window, with the storage of the tab', async () => {
    const { page } = await open(`http://127.0.0.1:${port}/lti/login?${platform.loginQuery()}`)
    await page.getByRole('button', { name: 'Join' }).waitFor()
  })
})
