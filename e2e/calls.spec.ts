import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { useAccountDevices } from './support/account-devices.ts'
import { addUser, fillSignIn, signInAs } from './support/accounts.ts'
import { FAKE_DEVICES, type Tab, useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import type { Account } from './support/members.ts'
import { areSilent, listen, loudness } from './support/sound.ts'
import { waitFor } from './support/wait.ts'

/** Longer than a restart of the server and of the pages on any machine. */
const RING_SECONDS = '120'
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_CONFERENCES_RING_SECONDS: RING_SECONDS }))
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
const connect = useAccountDevices()

let accounts: Record<'anna' | 'ben' | 'cara', Account>
let annas: Tab
let bens: Tab

const device = (name: keyof typeof accounts) => connect(lectern.url, accounts[name])

beforeAll(async () => {
  const [anna, ben, cara] = [
    await addUser(lectern, 'anna'),
    await addUser(lectern, 'ben'),
    await addUser(lectern, 'cara'),
  ]
  accounts = {
    anna: await signInAs(lectern, anna),
    ben: await signInAs(lectern, ben),
    cara: await signInAs(lectern, cara),
  }
  const devices = { anna: device('anna'), ben: device('ben'), cara: device('cara') }
  await devices.anna.becomeContactOf(devices.ben)
  await devices.cara.becomeContactOf(devices.ben)
  // A call in the history of both: its row has the buttons to call.
  await devices.anna.act('call.cancel', await devices.anna.invite(devices.ben))
  for (const { client } of Object.values(devices)) client.close()
  const atCalls = async (person: typeof anna) => {
    const tab = await open(`${lectern.url}/calls`)
    await fillSignIn(tab.page, person)
    await tab.page.getByRole('list', { name: 'Calls' }).waitFor()
    return tab
  }
  ;[annas, bens] = [await atCalls(anna), await atCalls(ben)]
})

const incoming = ({ page }: Tab) => page.getByRole('region', { name: 'Incoming call' })
const button = ({ page }: Tab, name: string | RegExp) => page.getByRole('button', { name })
const annaCalls = (kind = 'Video') => button(annas, `${kind} call with Ben`).first().click()
const inRoom = ({ page }: Tab) => page.getByRole('region', { name: 'Controls' }).waitFor()
const pathOf = ({ page }: Tab) => new URL(page.url()).pathname

/** A click at once does nothing: it may have been meant for the page below. */
async function answer(tab: Tab, how: string): Promise<void> {
  await incoming(tab).waitFor()
  const button = incoming(tab).getByRole('button', { name: how, exact: true })
  await expect
    .poll(async () => {
      // A click of Playwright would wait for a button that has just vanished.
      await button.evaluateAll(buttons => {
        for (const each of buttons) (each as HTMLElement).click()
      })
      return incoming(tab).count()
    })
    .toBe(0)
}

it('rings with sound on both sides until it is declined', async () => {
  for (const { page } of [annas, bens]) await page.evaluate(listen)
  await annaCalls('Audio')
  await waitFor(async () => (await loudness(bens.page)) > 0.02, 'it rings')
  await waitFor(async () => (await loudness(annas.page)) > 0.005, 'the caller hears it, too')
  await answer(bens, 'Decline')
  await annas.page.getByText('Declined by others').waitFor()
  await bens.page.getByText('Declined', { exact: true }).waitFor()
  for (const { page } of [annas, bens]) await waitFor(() => page.evaluate(areSilent), 'it is silent')
  await annas.page.goto(`${lectern.url}/calls`)
})

it('rings on every device, until one answers', async () => {
  const [ofAnna, ofBen] = [device('anna'), device('ben')]
  const call = await ofAnna.invite(ofBen)
  await incoming(bens).getByText('Anna', { exact: true }).waitFor()
  await expect.poll(() => bens.page.title()).toBe('Anna is calling')
  await ofBen.act('call.accept', call)
  await incoming(bens).waitFor({ state: 'hidden' })
  await bens.page.getByText('In progress').waitFor()
  expect(pathOf(bens)).toBe('/calls')
  await ofAnna.act('call.leave', call)
  await bens.page.getByText('In progress').waitFor({ state: 'detached' })
})

it('is cancelled, and counted as missed on every page until the list is viewed', async () => {
  await bens.page.getByRole('link', { name: 'Meetings', exact: true }).click()
  await annaCalls()
  await incoming(bens).waitFor()
  await button(annas, 'Cancel call').click()
  await incoming(bens).waitFor({ state: 'hidden' })
  await annas.page.getByText('Cancelled').first().waitFor()
  const link = bens.page.getByRole('link', { name: 'Calls, unread: 1' })
  await link.click()
  await bens.page.getByText('Missed call').first().waitFor()
  await bens.page.getByRole('link', { name: 'Calls', exact: true }).waitFor()
  await annas.page.goto(`${lectern.url}/calls`)
})

it('is answered, and both see each other, until one answers another call', async () => {
  const [ofBen, ofCara] = [device('ben'), device('cara')]
  await annaCalls()
  await annas.page.getByText('Calling Ben…').waitFor()
  await answer(bens, 'Answer with video')
  await Promise.all([annas, bens].map(inRoom))
  for (const { page } of [annas, bens]) await waitFor(() => playsTwoVideos(page), 'the videos of both')

  await ofCara.invite(ofBen)
  await incoming(bens).getByText('Answering ends your present call.').waitFor()
  await answer(bens, 'Decline')
  expect((await ofCara.waitForCall('ended')).people[0]?.state).toBe('busy')
  expect(pathOf(annas)).toBe(pathOf(bens))
  const second = await ofCara.invite(ofBen)
  await answer(bens, 'Answer')
  await waitFor(() => pathOf(bens) === `/conferences/${second.conference_tag}`, 'the second conference')
  await annas.page.getByText(/^Outgoing call/).waitFor()
  expect((await device('anna').waitForCall('ended')).reason).toBe('completed')
  // A reload comes back into the call, and leaving it to its page.
  await bens.page.reload()
  await inRoom(bens)
  await button(bens, 'Leave').click()
  await bens.page.getByText(/^Incoming call/).waitFor()
  expect(pathOf(bens)).toMatch(/^\/calls\/\d+$/)
  expect([...annas.console, ...bens.console].filter(line => !/WebSocket|404/.test(line))).toEqual([])
})

it('stops ringing for a contact who is blocked meanwhile, who cannot call again', async () => {
  const ofBen = device('ben')
  const block = (blocked: boolean) =>
    ofBen.client.command('contact.remove', ofBen.self, { user_id: String(accounts.anna.user_id), blocked })
  await annas.page.goto(`${lectern.url}/calls`)
  await annaCalls()
  await incoming(bens).waitFor()
  await block(true)
  await incoming(bens).waitFor({ state: 'hidden' })
  await annas.page.getByText('Declined by others').waitFor()
  await button(annas, 'Call again').click()
  await annas.page.getByText('You can call only your contacts.').waitFor()
  await block(false)
  await ofBen.becomeContactOf(device('anna'))
})

it('continues to ring after a reload of either page, and after a kill -9 of the server', async () => {
  await annas.page.goto(`${lectern.url}/calls`)
  await annaCalls()
  await annas.page.getByText('Calling Ben…').waitFor()
  await incoming(bens).waitFor()
  await Promise.all([annas.page.reload(), bens.page.reload()])
  await Promise.all([incoming(bens).waitFor(), annas.page.getByText('Calling Ben…').waitFor()])
  await lectern.stop('SIGKILL')
  await lectern.start()
  await answer(bens, 'Answer')
  await Promise.all([inRoom(annas), inRoom(bens)])
  expect(pathOf(annas)).toBe(pathOf(bens))
})

const playsTwoVideos = (page: Page) =>
  page
    .locator('video')
    .evaluateAll(videos => videos.filter(each => (each as HTMLVideoElement).videoWidth > 0).length >= 2)
