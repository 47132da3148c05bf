import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { useAccountDevices } from '../../support/account-devices.ts'
import { addUser, type Credentials, fillSignIn, signInAs } from '../../support/accounts.ts'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useFirefox } from '../../support/firefox.ts'
import { useLectern } from '../../support/lectern.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const RING_SECONDS = 20
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_CONFERENCES_RING_SECONDS: String(RING_SECONDS),
}))
const openChromium = useBrowser(FAKE_DEVICES)
const openFirefox = useFirefox()
const connect = useAccountDevices()
let anna: Credentials
let ben: Credentials
beforeAll(async () => {
  anna = await addUser(lectern, 'anna')
  ben = await addUser(lectern, 'ben')
  const [ofAnna, ofBen] = [await signInAs(lectern, anna), await signInAs(lectern, ben)].map(each =>
    connect(lectern.url, each),
  ) as [ReturnType<typeof connect>, ReturnType<typeof connect>]
  await ofAnna.becomeContactOf(ofBen)
  for (const each of [ofAnna, ofBen]) each.client.close()
})

/** Anna's contacts in Chromium, and Ben's calls in Firefox. */
async function both() {
  const annas = await openChromium(`${lectern.url}/contacts`)
  await fillSignIn(annas.page, anna)
  const bens = await openFirefox(`${lectern.url}/calls`)
  // Types keys, because fill() triggers no listeners in Firefox.
  await bens.page.getByRole('textbox', { name: 'Username' }).pressSequentially(ben.login)
  await bens.page.getByLabel('Password').pressSequentially(ben.password)
  await bens.page.keyboard.press('Enter')
  await bens.page.getByRole('heading', { name: 'Calls', exact: true }).waitFor()
  return { annas, bens }
}

const incoming = (page: Page) => page.getByRole('region', { name: 'Incoming call' })
const call = (page: Page) => page.getByRole('button', { name: 'Video call with Ben' }).click()

async function press(page: Page, name: string) {
  await incoming(page).waitFor()
  await page.waitForTimeout(600) // guards against clicks that were meant for the page below
  await incoming(page).getByRole('button', { name, exact: true }).click()
}

describe('a call from Chromium to Firefox', () => {
  it('is answered, and both see and hear each other until one hangs up', async () => {
    const { annas, bens } = await both()
    await call(annas.page)
    await expect.poll(() => bens.page.title()).toBe('Anna is calling')
    await press(bens.page, 'Answer with video')
    const [inChromium, inFirefox] = await Promise.all([Visitor.inRoom(annas), Visitor.inRoom(bens)])
    await Promise.all([inChromium.waitForVideo('Ben'), inFirefox.waitForVideo('Anna')])
    await Promise.all([inChromium.waitForSound(), inFirefox.waitForSound()])
    await inFirefox.button('Leave').click()
    for (const { page } of [annas, bens]) await page.getByText(/^(Outgoing|Incoming) call/).waitFor()
    expect(bens.console).toEqual([])
  })

  it('is declined, and missed', async () => {
    const { annas, bens } = await both()
    await call(annas.page)
    await press(bens.page, 'Decline')
    await annas.page.getByText('Declined by others').waitFor()
    expect(await incoming(bens.page).count()).toBe(0)

    await annas.page.getByRole('button', { name: 'Call again' }).click()
    await incoming(bens.page).waitFor()
    await incoming(bens.page).waitFor({ state: 'hidden', timeout: (RING_SECONDS + 20) * 1000 })
    await annas.page.getByText('No answer').first().waitFor()
    await bens.page.getByText('Missed call').first().waitFor()
    await waitFor(async () => !(await bens.page.title()).includes('calling'), 'the title rings no more')
  })
})
