import { beforeAll, describe, it } from 'vitest'
import { useFirefox } from '../../support/firefox.ts'
import { useLectern } from '../../support/lectern.ts'
import { createLinks } from '../../support/links.ts'
import { useSite } from '../../support/site.ts'

const portal = useSite()
const lectern = useLectern(() => ({ SVC_INTEGRATION_FRAME_ANCESTORS: portal.origin }))
const open = useFirefox({
  'media.navigator.streams.fake': true, // devices exist, but access is denied
  'network.cookie.cookieBehavior': 2, // cookies and site data are blocked everywhere
  'permissions.default.camera': 2,
  'permissions.default.microphone': 2,
})
beforeAll(async () => {
  const { teacher } = await createLinks(lectern.client(await lectern.addAccount()))
  portal.html = `<!doctype html><title>Portal</title><iframe src="${teacher}" allow="camera; microphone" width="1000" height="700"></iframe>`
})

describe('Firefox that blocks site data and refuses camera and microphone', () => {
  it('explains the refusal in a cross-origin iframe, and lets the visitor join', async () => {
    const { page } = await open(portal.origin)
    const frame = page.frameLocator('iframe')
    await frame.getByText('Camera and microphone: Access is blocked in your browser').waitFor()
    await frame.getByRole('button', { name: 'Join without camera and microphone' }).click()
    await frame.getByRole('region', { name: 'Controls' }).waitFor()
    await frame.getByText('You are the only one here').waitFor()
  })
})
