import { type PartnerClient, verifyWebhook } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference, fillSignIn, signInAs } from './support/accounts.ts'
import { fillDatabases, MOST_PEOPLE } from './support/administration.ts'
import { useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { LESSON } from './support/links.ts'
import type { Account } from './support/members.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { useStudents } from './support/students.ts'
import { waitFor } from './support/wait.ts'
import { useAnsweringReceiver } from './support/webhook-receiver.ts'

const dataFolder = useFolders()()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_DATA_DIR: dataFolder,
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const open = useBrowser([], { keepsPagesOpen: true })
const addStudents = useStudents()
const receiver = useAnsweringReceiver()
const screenshot = screenshotsOf('integrations')
const SECRET = 'a secret of some length'

let boss: Account
let page: Page
let partner: PartnerClient
let refusedId: string
beforeAll(async () => {
  const credentials = await addUser(lectern, 'boss', { capabilities: ['admin'] })
  boss = await signInAs(lectern, credentials)
  await lectern.addAccount()
  partner = lectern.client(await lectern.addAccount('academy'))
  fillDatabases(dataFolder)
  ;({ page } = await open(`${lectern.url}/admin`))
  await fillSignIn(page, credentials)
  await sections().waitFor()
})

const sections = () => page.getByRole('navigation', { name: 'Sections of the administration' })
const goTo = (name: string) => sections().getByRole('link', { name }).click()
const row = (text: string) => page.getByRole('row').filter({ hasText: text })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const dialog = () => page.getByRole('dialog')
/** Presses an entry of the menu of a thing. */
const choose = async (name: string, action: string) => {
  await button(`Actions: ${name}`).click()
  await page
    .getByRole('region', { name: `Actions: ${name}` })
    .getByRole('button', { name: action })
    .click()
}
const confirm = async (question: string, verb: string) => {
  await dialog().getByText(question).waitFor()
  await dialog().getByRole('button', { name: verb }).click()
}
const get = async (path: string) => {
  const response = await fetch(`${lectern.url}/api/v1.0/admin${path}`, {
    headers: { authorization: `Bearer ${boss.access_token}` },
  })
  return response.json()
}
const audit = async (query: string): Promise<{ actor: string; target: string; outcome: string }[]> =>
  (await get(`/audit?${query}`)).records

describe('the administration', () => {
  it('shows the server and the charts of the last day', async () => {
    await page.getByText('Last 24 hours').waitFor()
    await expect.poll(() => page.locator('figure canvas').count()).toBe(8)
    await page.getByText(new RegExp(`at most ${MOST_PEOPLE}$`)).waitFor()
    await page.getByRole('region', { name: 'Server' }).getByText('Ready').waitFor()
    await page.getByRole('region', { name: 'Storage' }).getByRole('meter').first().waitFor()
  })

  it('creates, finds, changes, disables and deletes a user, by keyboard alone', async () => {
    await goTo('Users')
    await button('New user').focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Login').focus()
    await page.keyboard.type('carla')
    await page.keyboard.press('Enter')
    const link = await dialog().getByLabel('Invitation link').inputValue()
    expect(link).toMatch(/\/invite\/[\w-]{43}$/)
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox').fill('CARL')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'carla' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Display name' }).getByRole('textbox').fill('Карла')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    // The list is as it was left; what was said about a user is not said about jobs.
    await goTo('Jobs')
    await page.getByText('No jobs.').waitFor()
    expect(await page.getByText('Saved.').count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('CARL')
    await page.getByRole('link', { name: 'carla' }).click()

    await button('Actions: carla').focus()
    await page.keyboard.press('Enter')
    await button('Disable').focus()
    await page.keyboard.press('Enter')
    await dialog().getByText('Disable carla?').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.getByText('Active', { exact: true }).count()).toBe(1)
    await choose('carla', 'Disable')
    await dialog().getByRole('button', { name: 'Disable' }).click()
    await page.getByText('carla is disabled.').waitFor()

    await choose('carla', 'Delete')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('carla is deleted.').waitFor()
    expect((await audit('search=carla')).map(({ outcome }) => outcome)).toEqual(Array(4).fill('done'))
  })

  it('pages through many users, and refuses to remove the last administrator, with the reason', async () => {
    await page.getByRole('searchbox').fill('')
    await expect.poll(() => page.getByRole('row').count()).toBe(51)
    await button('Show more').click()
    await expect.poll(() => page.getByRole('row').count()).toBe(101)
    await page.getByRole('searchbox').fill('boss')
    await page.getByRole('link', { name: 'boss' }).click()
    const form = page.getByRole('form', { name: 'Permissions' })
    await form.getByRole('checkbox', { name: /Administration/ }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('This is the last administrator.').waitFor()
  })

  it('requires a confirmation before it resends a webhook', async () => {
    await goTo('Webhooks')
    await row('recording:job_1').getByText('HTTP 500').waitFor()
    const again = button('Send again: recording:job_1')
    await again.click()
    await dialog().getByText('Send this event to school again?').waitFor()
    await page.keyboard.press('Escape')
    expect(await audit('action=webhook_delivery.replay')).toEqual([])
    await again.click()
    await dialog().getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The delivery is queued.').waitFor()
    await row('recording:job_1').getByRole('link').first().click()
    await row('HTTP 500').getByText('the database is away').waitFor()
    await row('TIMEOUT').getByText('15,000').waitFor()
    await row('the server stopped').waitFor()
    expect(await audit('action=webhook_delivery.replay')).toMatchObject([{ target: 'wh_1', outcome: 'done' }])
  })

  it('creates a service account with its technical user, and shows its secret once', async () => {
    await goTo('Service accounts')
    await button('New service account').click()
    await dialog().getByLabel('Name').fill('college')
    expect(await dialog().getByLabel('Login of the technical user').inputValue()).toBe('college-backend')
    await dialog().getByRole('button', { name: 'Create' }).click()
    expect(await dialog().getByLabel('Client secret').inputValue()).toMatch(/^[\w-]{43}$/)
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    await row('college-backend').getByText('Active').waitFor()
    await choose('college', 'Disable')
    await dialog().getByRole('button', { name: 'Disable' }).click()
    await row('college').getByText('Disabled').waitFor()
  })

  describe('the console of a service account', () => {
    beforeAll(async () => {
      await partner.createRoom('algebra', LESSON)
      await partner.setWebhook({ url: receiver.url(), secret: SECRET })
      receiver.answer(400, 'unknown event <webhook.test>')
      refusedId = (await partner.testWebhook()).id
      await waitFor(
        async () => (await partner.getDelivery(refusedId)).status === 'failed',
        'the delivery was refused',
      )
      receiver.answer(204)
    })

    it('shows its rooms and its deliveries, sends a test event, and sends a refused delivery again', async () => {
      await page.getByRole('link', { name: 'academy' }).click()
      await page.getByRole('region', { name: 'academy' }).getByText('Active').waitFor()
      await page.getByRole('region', { name: 'Webhook' }).getByText('http://127.0.0.1').waitFor()
      expect(await page.getByText('/hook').count()).toBe(0)
      await row('algebra').getByText('Open').waitFor()
      await row('HTTP 400').getByText('Failed').waitFor()

      await button('Send test event').click()
      await confirm('Send a test event to academy?', 'Send test event')
      await page.getByText('The test event is queued.').waitFor()
      // The list loads again by itself.
      await row('HTTP 204').getByText('Delivered').waitFor()
      await row('HTTP 400').getByRole('button').click()
      await confirm('Send this event to academy again?', 'Send again')
      await expect.poll(() => row('HTTP 204').count()).toBe(2)
      expect(receiver.received.map(({ id }) => id)).toContain(refusedId)
    })

    it('lets an owner see the same with their own sign-in, and set endpoints, until that is revoked', async () => {
      const olga = await addUser(lectern, 'olga')
      await button('Add owner').click()
      await dialog().getByLabel('Login').fill('olga')
      await page.keyboard.press('Enter')
      await page.getByText('olga is an owner.').waitFor()

      const { page: own } = await open(lectern.url)
      await fillSignIn(own, olga)
      await own.getByRole('link', { name: 'Integrations' }).click()
      await own.getByRole('region', { name: 'Usage' }).waitFor()
      await screenshot(own, 'overview')
      await own.getByRole('link', { name: 'Rooms' }).click()
      await own.getByRole('link', { name: 'Algebra: quadratic equations' }).click()
      await own.getByText('algebra', { exact: true }).waitFor()
      await screenshot(own, 'room')
      await own.getByRole('link', { name: 'Endpoints' }).click()
      await own.getByRole('button', { name: 'New endpoint' }).click()
      await own.getByLabel('URL').fill(receiver.url())
      await own.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
      const secret = await own.getByLabel('Secret of the endpoint').inputValue()
      await own.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await own.getByRole('link', { name: receiver.url() }).click()
      await own.getByRole('button', { name: 'Send test event' }).click()
      await own.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click()
      await own.getByRole('row').filter({ hasText: 'HTTP 204' }).getByText('Delivered').waitFor()
      await screenshot(own, 'endpoint')
      await own.getByRole('link', { name: 'webhook.test' }).click()
      await own.getByRole('region', { name: 'Content' }).getByText('"service_account": "academy"').waitFor()
      await screenshot(own, 'delivery')
      expect(lectern.log).not.toContain(secret)

      await choose('Owners', 'Remove olga')
      await confirm('Remove olga as an owner of academy?', 'Remove olga')
      // Nobody touches the open page.
      await own.getByText('Page not found').waitFor()
      expect(await own.getByRole('link', { name: 'Integrations' }).count()).toBe(0)
      await own.close()
    })

    it('replaces the secret, which is shown once, and ends the validity of the previous one', async () => {
      await button('Replace secret').click()
      await confirm('Create a new secret for academy?', 'Replace secret')
      const secret = await dialog().getByLabel('New webhook secret').inputValue()
      await dialog().getByRole('button', { name: 'Close' }).click()
      await page.getByText('valid until').waitFor()

      const sent = async () => {
        const { id } = await partner.testWebhook()
        return waitFor(() => receiver.received.find(each => each.id === id), 'the test event was received')
      }
      const during = await sent()
      for (const each of [SECRET, secret])
        expect(verifyWebhook({ ...during, secret: each }).id).toBe(during.id)
      await choose('Webhook', 'End validity of the previous secret')
      await confirm('Sign with the new secret only?', 'End validity of the previous secret')
      await button('Replace secret').waitFor()
      const after = await sent()
      expect(verifyWebhook({ ...after, secret }).id).toBe(after.id)
      expect(() => verifyWebhook({ ...after, secret: SECRET })).toThrow()

      await goTo('Audit log')
      await page.getByRole('searchbox').fill('academy')
      for (const text of ['Webhook tested', 'Webhook secret replaced', 'Previous webhook secret ended'])
        await row(text).getByText('Done').waitFor()
      expect(await audit(`action=webhook_delivery.replay&search=${refusedId}`)).toMatchObject([
        { actor: 'boss', outcome: 'done' },
      ])
      const all = JSON.stringify(await audit('limit=200'))
      for (const each of [SECRET, secret]) expect(all + lectern.log).not.toContain(each)
    })
  })

  /** Its traffic in the charts, and what those inside see, are in endurance/media. */
  it('shows a live session with the quality of its participants, and ends it', async () => {
    const { tag } = await createConference(lectern, boss, 'Monday round')
    await addStudents({ url: lectern.url, tag, names: ['Anna Petrova'] })
    await goTo('Live sessions')
    await page.getByRole('link', { name: 'Monday round' }).click()
    await row('Anna Petrova').getByText('of 10').waitFor()
    await row('Anna Petrova').getByText('microphone').waitFor()
    await page.getByText(/^rtc-/).waitFor()
    await choose('Monday round', 'End session')
    await dialog().getByRole('button', { name: 'End session' }).click()
    await page.getByText('has ended.').waitFor()
    await page.getByText('No live sessions.').waitFor()
  })
})
