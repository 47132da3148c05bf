import { type PartnerClient, verifyWebhook } from '@lectern/partner'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, fillSignIn, signInAs } from './support/accounts.ts'
import { fillDatabases, MOST_PEOPLE } from './support/administration.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { checkKeyboard } from './support/keyboard.ts'
import { type Account, useLectern } from './support/lectern.ts'
import { LESSON } from './support/links.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'
import { useAnsweringReceiver } from './support/webhook-receiver.ts'

const dataFolder = useFolders()()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_DATA_DIR: dataFolder,
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const open = useBrowser(FAKE_DEVICES)
const shoot = screenshotsOf('admin')
const receiver = useAnsweringReceiver()
const SECRET = 'a secret of some length'

const SIZES = [PHONE, ['phone-390', 390, 844], ['desktop', 1280, 800]] as const
let boss: Credentials
let token: string
let teacherLink: string
let studentLink: string
beforeAll(async () => {
  boss = await addUser(lectern, 'boss', { capabilities: ['admin'] })
  token = (await signInAs(lectern, boss)).access_token
  const partner = lectern.client(await lectern.addAccount())
  const room = await partner.createRoom('lesson', LESSON)
  teacherLink = room.teacher_join_url
  studentLink = room.student_join_url
  fillDatabases(dataFolder)
})

async function openAdmin(path = ''): Promise<Page> {
  const { page } = await open(`${lectern.url}/admin${path}`)
  await fillSignIn(page, boss)
  await page.getByRole('navigation', { name: 'Sections of the administration' }).waitFor()
  return page
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of the administration' }).getByRole('link', { name })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const rightEdgeOfText = (element: Locator) =>
  element.evaluate(each => {
    const range = document.createRange()
    range.selectNodeContents(document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode() as Node)
    return Math.round(range.getBoundingClientRect().right)
  })
const confirm = async (page: Page, question: string, verb: string) => {
  const dialog = page.getByRole('dialog')
  await dialog.getByText(question).waitFor()
  await dialog.getByRole('button', { name: verb }).click()
}
const get = async (path: string) => {
  const response = await fetch(`${lectern.url}/api/v1.0/admin${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return response.json()
}
const audit = async (query: string): Promise<{ target: string; outcome: string }[]> =>
  (await get(`/audit?${query}`)).records

/** The server samples once a minute. Two people send microphone and camera to each other, on a machine of any speed. */
const chartsShowTraffic = () =>
  waitFor(async () => {
    const { samples } = await get('/samples')
    const last = (name: string) => samples[name].at(-1)
    const [incoming, outgoing] = [last('incoming_bps'), last('outgoing_bps')]
    if (last('participants') !== 2 || incoming < 20_000 || outgoing < 20_000) return false
    expect([incoming, outgoing].every(bps => bps < 50e6)).toBe(true)
    expect(last('packet_loss_percent')).toBeLessThanOrEqual(100)
    expect(last('media_cpu_percent')).toBeGreaterThan(0)
    return true
  }, 'the charts have the traffic of the session')

describe('the administration', () => {
  it('is neither shown nor served without the capability', async () => {
    const anna = await addUser(lectern, 'anna')
    const { page } = await open(`${lectern.url}/admin/users`)
    const answers: number[] = []
    page.on('response', response => {
      if (response.url().includes('/api/v1.0/admin/')) answers.push(response.status())
    })
    await fillSignIn(page, anna)
    await page
      .getByText('Page not found')
      .or(page.getByRole('heading', { name: /not/i }))
      .first()
      .waitFor()
    expect(await page.getByRole('link', { name: 'Admin', exact: true }).count()).toBe(0)
    expect(answers).toEqual([])
    const { access_token } = await signInAs(lectern, anna)
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fetch(`${lectern.url}/api/v1.0/admin/users`, { headers })).status).toBe(403)
  })

  it('shows the server and the charts of the last day, and links back to the other pages', async () => {
    const page = await openAdmin()
    await page.getByText('Last 24 hours').waitFor()
    await expect.poll(() => page.locator('figure canvas').count()).toBe(8)
    await page.getByText(new RegExp(`at most ${MOST_PEOPLE}$`)).waitFor()
    await page.getByRole('region', { name: 'Server' }).getByText('Ready').waitFor()
    await page.getByRole('region', { name: 'Storage' }).getByRole('meter').first().waitFor()
    await checkAppearance(page, 'overview', { shoot, sizes: SIZES })
    await section(page, 'Users').click()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Last 24 hours').waitFor()
    await page.getByRole('link', { name: 'Meetings' }).click()
    await page.getByRole('heading', { name: 'Your meetings' }).waitFor()
  })

  it('creates, finds, changes, disables and deletes a user, by keyboard alone', async () => {
    const page = await openAdmin('/users')
    await page.getByRole('button', { name: 'New user' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Login').focus()
    await page.keyboard.type('carla')
    await checkAppearance(page, 'create-user', { shoot, sizes: SIZES })
    await page.keyboard.press('Enter')
    const link = await dialog.getByLabel('Invitation link').inputValue()
    expect(link).toMatch(/\/invite\/[\w-]{43}$/)
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox').fill('CARL')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: 'carla' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Display name' }).getByRole('textbox').fill('Карла')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
    await checkAppearance(page, 'user', { shoot, sizes: SIZES })
    // The list is as it was left; what was said about a user is not said about jobs.
    await section(page, 'Jobs').click()
    await page.getByText('No jobs match.').waitFor()
    expect(await page.getByText('Saved.').count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('CARL')
    await page.getByRole('link', { name: 'carla' }).click()

    await page.getByRole('button', { name: 'Disable' }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('Disable carla?').waitFor()
    await shoot(page, 'confirm')
    await dialog.getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.getByText('Active', { exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('carla is disabled.').waitFor()

    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('carla is deleted.').waitFor()
    expect((await audit('search=carla')).map(({ outcome }) => outcome)).toEqual(Array(4).fill('done'))
  })

  it('refuses to remove the last administrator, with the reason', async () => {
    const page = await openAdmin('/users')
    await page.getByRole('searchbox').fill('boss')
    await page.getByRole('link', { name: 'boss' }).click()
    const form = page.getByRole('form', { name: 'Permissions' })
    await form.getByRole('checkbox', { name: /Administration/ }).uncheck()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('This is the last administrator.').waitFor()
  })

  it('pages through many users, and shows an error and an empty list', async () => {
    const page = await openAdmin('/users')
    await expect.poll(() => page.getByRole('row').count()).toBe(51)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(101)
    await checkAppearance(page, 'users', { shoot, sizes: SIZES })
    await page.getByRole('searchbox').fill('nobody at all')
    await page.getByText('No users match.').waitFor()
    await page.route('**/api/v1.0/admin/jobs*', route => route.abort())
    await section(page, 'Jobs').click()
    await page.getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/api/v1.0/admin/jobs*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No jobs match.').waitFor()
  })

  it('shows a live session with the quality of its participants, and ends it', async () => {
    const anna = await Visitor.join(await open(teacherLink))
    await Visitor.join(await open(studentLink))
    const page = await openAdmin('/sessions')
    await page.getByRole('link', { name: 'Algebra: quadratic equations' }).click()
    await row(page, 'Anna Petrova').getByText('of 10').waitFor()
    await row(page, 'Anna Petrova').getByText('microphone').waitFor()
    await page.getByText(/^rtc-/).waitFor()
    await checkAppearance(page, 'session', { shoot, sizes: SIZES })
    await chartsShowTraffic()
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await page.getByText('has ended.').waitFor()
    await page.getByText('No live sessions.').waitFor()
    await anna.page.getByRole('heading', { name: /ended/ }).waitFor()
    await section(page, 'Partner rooms').click()
    await row(page, 'Algebra')
      .getByRole('button', { name: /Close room/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close room' }).click()
    await row(page, 'Algebra').getByText('Closed').waitFor()
    await checkAppearance(page, 'rooms', { shoot, sizes: SIZES })
  })

  it('requires a confirmation before it resends a webhook', async () => {
    const page = await openAdmin('/webhooks')
    await row(page, 'recording:job_1').getByText('HTTP 500').waitFor()
    await checkAppearance(page, 'webhooks', { shoot, sizes: SIZES })
    await page.getByRole('button', { name: 'Send again: recording:job_1' }).click()
    await page.getByRole('dialog').getByText('Send this event to school again?').waitFor()
    const { x = 0, width = 0 } = (await page.getByRole('dialog').boundingBox()) ?? {}
    expect(x + width / 2, 'it is in the middle').toBeCloseTo((page.viewportSize()?.width ?? 0) / 2, 0)
    await page.keyboard.press('Escape')
    expect(await audit('action=webhook_delivery.replay')).toEqual([])
    await page.getByRole('button', { name: 'Send again: recording:job_1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The delivery is queued.').waitFor()
    await row(page, 'recording:job_1').getByRole('link').first().click()
    await row(page, 'HTTP 500').getByText('the database is away').waitFor()
    await row(page, 'TIMEOUT').getByText('15,000').waitFor()
    await row(page, 'the server stopped').waitFor()
    await checkAppearance(page, 'delivery', { shoot, sizes: SIZES })
    expect(await audit('action=webhook_delivery.replay')).toMatchObject([{ target: 'wh_1', outcome: 'done' }])
  })

  describe('the console of a service account', () => {
    let account: Account
    let partner: PartnerClient
    let refusedId: string
    beforeAll(async () => {
      account = await lectern.addAccount('academy')
      partner = lectern.client(account)
      await partner.createRoom('algebra', LESSON)
      await partner.createRoom('old', { title: 'الجبر: المعادلات (1)' })
      await partner.closeRoom('old')
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
      const page = await openAdmin('/service-accounts')
      await page.getByRole('link', { name: 'academy' }).click()
      await page.getByRole('region', { name: 'academy' }).getByText('Active').waitFor()
      await page.getByRole('region', { name: 'Webhook' }).getByText('http://127.0.0.1').waitFor()
      expect(await page.getByText('/hook').count()).toBe(0)
      await row(page, 'algebra').getByText('Open').waitFor()
      await row(page, 'old').getByText('Closed').waitFor()
      await row(page, 'HTTP 400').getByText('Failed').waitFor()
      // The lists scroll within the page; what only screen readers read, far below, does not make the document higher.
      const checkSize = async () =>
        expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
      await checkAppearance(page, 'console', { shoot, sizes: SIZES, checkSize })

      await page.getByRole('button', { name: 'Send test event' }).click()
      await confirm(page, 'Send a test event to academy?', 'Send test event')
      await page.getByText('The test event is queued.').waitFor()
      // The list loads again by itself.
      await row(page, 'HTTP 204').getByText('Delivered').waitFor()

      await row(page, 'HTTP 400').getByRole('button').click()
      await page.getByRole('dialog').getByText('Send this event to academy again?').waitFor()
      await page.keyboard.press('Escape')
      expect(await audit(`action=webhook_delivery.replay&search=${refusedId}`)).toEqual([])
      await row(page, 'HTTP 400').getByRole('button').click()
      await confirm(page, 'Send this event to academy again?', 'Send again')
      await expect.poll(() => row(page, 'HTTP 204').count()).toBe(2)
      expect(receiver.received.map(({ id }) => id)).toContain(refusedId)

      await row(page, 'webhook.test').last().getByRole('link').click()
      await row(page, 'HTTP 400').getByText('unknown event').waitFor()
      await row(page, 'HTTP 204').waitFor()
      await page.getByRole('link', { name: 'academy' }).click()
      await page.getByRole('region', { name: 'Webhook' }).waitFor()

      for (const [language, rooms] of [
        ['ru', 'Комнаты'],
        ['ar', 'الغرف'],
      ] as const) {
        await page.evaluate(value => localStorage.setItem('lectern.language', value), language)
        await page.reload()
        await page.getByRole('table', { name: rooms }).waitFor()
        await checkAppearance(page, `console-${language}`, { shoot, sizes: SIZES })
      }
      // A text of another direction begins below its heading.
      const table = page.getByRole('table', { name: 'الغرف' })
      const heading = table.getByRole('columnheader', { name: 'المعرّف الخارجي' })
      const [above, below] = [heading, table.getByRole('cell', { name: 'algebra', exact: true })]
      expect(await rightEdgeOfText(below)).toBe(await rightEdgeOfText(above))
    })

    it('replaces the secret, which is shown once, and ends the validity of the previous one', async () => {
      const page = await openAdmin('/service-accounts/academy')
      await page.getByRole('button', { name: 'Replace secret' }).click()
      await confirm(page, 'Create a new secret for academy?', 'Replace secret')
      const secret = await page.getByRole('dialog').getByLabel('New webhook secret').inputValue()
      await checkAppearance(page, 'console-secret', { shoot, sizes: SIZES })
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByText('valid until').waitFor()
      await checkAppearance(page, 'console-rotation', { shoot, sizes: SIZES })

      const sent = async () => {
        const { id } = await partner.testWebhook()
        return waitFor(() => receiver.received.find(each => each.id === id), 'the test event was received')
      }
      const during = await sent()
      for (const each of [SECRET, secret])
        expect(verifyWebhook({ ...during, secret: each }).id).toBe(during.id)
      await page.getByRole('button', { name: 'End validity of the previous secret' }).click()
      await confirm(page, 'Sign with the new secret only?', 'End validity of the previous secret')
      await page.getByRole('button', { name: 'Replace secret' }).waitFor()
      const after = await sent()
      expect(verifyWebhook({ ...after, secret }).id).toBe(after.id)
      expect(() => verifyWebhook({ ...after, secret: SECRET })).toThrow()

      await section(page, 'Audit log').click()
      await page.getByRole('searchbox').fill('academy')
      for (const text of ['Webhook tested', 'Webhook secret replaced', 'Previous webhook secret ended'])
        await row(page, text).getByText('Done').waitFor()
      expect(await audit(`action=webhook_delivery.replay&search=${refusedId}`)).toMatchObject([
        { actor: 'boss', outcome: 'done' },
      ])
      const all = JSON.stringify(await audit('limit=200'))
      for (const each of [SECRET, secret]) expect(all + lectern.log).not.toContain(each)
    })

    it('is neither shown nor answered without the capability, also to the partner', async () => {
      const ben = await addUser(lectern, 'ben', { capabilities: ['recordings.access'] })
      const { page, requests } = await open(`${lectern.url}/admin/service-accounts/academy`)
      await fillSignIn(page, ben)
      await page.getByText('Page not found').waitFor()
      expect(requests.filter(({ url }) => url.includes('/api/v1.0/admin/'))).toEqual([])
      const { access_token } = await signInAs(lectern, ben)
      const issued = await fetch(`${lectern.url}/api/v1/integration/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ service_account: 'academy', client_secret: account.clientSecret }),
      })
      const service = await issued.json()
      const console = '/api/v1.0/admin/service-accounts/academy'
      const operations = [
        ...['', '/rooms', '/webhook', '/webhook-deliveries'].map(path => ['GET', path]),
        ...['/webhook/test', '/webhook/rotate', '/webhook/rotate/finish'].map(path => ['POST', path]),
        ['DELETE', '/webhook'],
      ]
      for (const [method = '', path] of operations)
        for (const [bearer, status] of [
          [access_token, 403],
          [service.access_token, 401],
        ] as const) {
          const headers = { authorization: `Bearer ${bearer}` }
          const response = await fetch(`${lectern.url}${console}${path}`, { method, headers })
          expect(response.status, `${method} ${path}`).toBe(status)
        }
      expect((await partner.getWebhook()).configured).toBe(true)
    })
  })

  it('shows the secret of a service account once', async () => {
    const page = await openAdmin('/service-accounts')
    await page.getByRole('button', { name: 'New service account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('college')
    await dialog.getByLabel('Login of the technical user').fill('school-backend')
    const scopes = await dialog.getByRole('group', { name: 'Scopes' }).getByRole('checkbox').all()
    for (const scope of scopes) await scope.uncheck()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByRole('alert').getByText('Choose at least one scope.').waitFor()
    for (const scope of scopes) await scope.check()
    await dialog.getByRole('button', { name: 'Create' }).click()
    expect(await dialog.getByLabel('Client secret').inputValue()).toMatch(/^[\w-]{43}$/)
    await checkAppearance(page, 'secret', { shoot, sizes: SIZES })
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await row(page, 'college').getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Disable college' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await row(page, 'college').getByText('Disabled').waitFor()
  })

  it('has every section in Russian, and an audit log of all actions', async () => {
    const page = await openAdmin()
    await page.evaluate(() => localStorage.setItem('lectern.language', 'ru'))
    await page.reload()
    await page.getByText('Последние 24 часа').waitFor()
    await expect.poll(() => page.locator('figure canvas').count()).toBe(8)
    await page.getByText(new RegExp(`максимум ${MOST_PEOPLE}$`)).waitFor()
    await shoot(page, 'ru-overview', { fullPage: true })
    const links = page.getByRole('navigation', { name: 'Разделы администрирования' }).getByRole('link')
    const count = await links.count()
    expect(count).toBe(11)
    for (let i = 1; i < count; i++) {
      await links.nth(i).click()
      await page.getByText('Загружаем…').waitFor({ state: 'detached' })
      await checkKeyboard(page, `section ${i}`)
      await checkAppearance(page, `ru-section-${i}`, { shoot, sizes: [PHONE] })
    }
    await page.getByRole('cell', { name: 'Пользователь создан' }).first().waitFor()
  })
})
