import { join } from 'node:path'
import Database from '@lectern/sqlite'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, type Credentials, fillSignIn, signInAs } from './support/accounts.ts'
import { checkAppearance, PHONE } from './support/appearance.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { LESSON } from './support/links.ts'
import { screenshotsOf } from './support/screenshots.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'

const dataFolder = useFolders()()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_SERVER_DATA_DIR: dataFolder }))
const open = useBrowser(FAKE_DEVICES)
const shoot = screenshotsOf('admin')

const SIZES = [PHONE, ['phone-390', 390, 844], ['desktop', 1280, 800]] as const
let boss: Credentials
let token: string
let teacherLink: string
let studentLink: string
beforeAll(async () => {
  boss = await addUser(lectern, 'boss', '--capability', 'admin')
  token = (await signInAs(lectern, boss)).access_token
  const partner = lectern.client(await lectern.addAccount())
  const room = await partner.createRoom('lesson', LESSON)
  teacherLink = room.teacher_join_url
  studentLink = room.student_join_url
  fillDatabases()
})

const UNKNOWN = { durationMs: null, responseStatus: null, excerpt: null }
const ATTEMPTS = [
  {
    startedAtMs: 1_700_000_900_000,
    durationMs: 1234,
    responseStatus: 500,
    error: 'HTTP 500',
    excerpt: `Internal Server Error: *** ${'the database is away '.repeat(20)}`,
  },
  { ...UNKNOWN, startedAtMs: 1_700_000_600_000, error: 'INTERRUPTED' },
  { ...UNKNOWN, startedAtMs: 1_700_000_000_000, durationMs: 15_000, error: 'TIMEOUT' },
]

/** A day of samples, many users, and a webhook that failed. */
function fillDatabases() {
  const main = new Database(join(dataFolder, 'lectern.db'))
  const minute = Math.floor(Date.now() / 60_000)
  const sample = main.prepare(
    'INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const user = main.prepare(
    `INSERT INTO users (login, display_name, kind, capabilities, created_at) VALUES (?, ?, 'ordinary', '[]', 1)`,
  )
  const names = ['Ольга Иванова', 'אברהם כהן', 'Zoë Åberg', 'A very long name '.repeat(6).trim()]
  main.transaction(() => {
    for (let i = 1440; i > 0; i--) {
      if (i > 700 && i < 760) continue // the server did not run
      const people = Math.round(40 + 35 * Math.sin(i / 200))
      const work = [people >> 3, people, people + 5, 20 + people / 2, people, 0, people >> 4]
      const load = [people * 0.8, 2.5e8 + people * 1e6, 1 + (i % 9) / 3]
      const traffic = [people * 1.5e6, people * 6e6, (i % 40) / 20]
      const [sessions, participants, connections, requests, , failures, jobs] = work.map(Math.round)
      const counts = [sessions, participants, connections, requests, failures, jobs]
      sample.run((minute - i) * 60_000, ...counts, load[0], people, load[1], load[2], ...traffic)
    }
    for (let i = 0; i < 120; i++) user.run(`person-${i}`, `${names[i % names.length]}`)
  })()
  main.close()
  const integration = new Database(join(dataFolder, 'integration.db'))
  integration
    .prepare(
      `INSERT INTO webhook_subscriptions (service_account, url, secret, events, enabled, created_at, updated_at) VALUES ('school', 'https://192.0.2.1/', ?, '[]', 1, 1, 1)`,
    )
    .run('a secret of webhooks')
  integration
    .prepare(
      `INSERT INTO webhook_deliveries (id, service_account, event, subject, body, status, attempts, response_status,
        error, created_at, updated_at, history)
        VALUES ('wh_1', 'school', 'recording.ready', 'recording:job_1', '{}', 'failed', 9, 500, 'HTTP 500', 1700000000, 1700000900, ?)`,
    )
    .run(ATTEMPTS.map(attempt => `${JSON.stringify(attempt)}\n`).join(''))
  integration.close()
}

async function openAdmin(path = ''): Promise<Page> {
  const { page } = await open(`${lectern.url}/admin${path}`)
  await fillSignIn(page, boss)
  await page.getByRole('navigation', { name: 'Sections of the administration' }).waitFor()
  return page
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of the administration' }).getByRole('link', { name })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
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
  waitFor(
    async () => {
      const { samples } = await get('/samples')
      const last = (name: string) => samples[name].at(-1)
      const [incoming, outgoing] = [last('incoming_bps'), last('outgoing_bps')]
      if (last('participants') !== 2 || incoming < 20_000 || outgoing < 20_000) return false
      expect([incoming, outgoing].every(bps => bps < 50e6)).toBe(true)
      expect(last('packet_loss_percent')).toBeLessThanOrEqual(100)
      expect(last('media_cpu_percent')).toBeGreaterThan(0)
      return true
    },
    'the charts have the traffic of the session',
    180_000,
  )

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
  }, 240_000)

  it('requires a confirmation before it resends a webhook', async () => {
    const page = await openAdmin('/webhooks')
    await row(page, 'recording:job_1').getByText('HTTP 500').waitFor()
    await checkAppearance(page, 'webhooks', { shoot, sizes: SIZES })
    await page.getByRole('button', { name: 'Send again: recording:job_1' }).click()
    await page.getByRole('dialog').getByText('Send this event to school again?').waitFor()
    await page.keyboard.press('Escape')
    expect(await audit('action=webhook_delivery.replay')).toEqual([])
    await page.getByRole('button', { name: 'Send again: recording:job_1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The delivery is queued.').waitFor()
    await row(page, 'recording:job_1').getByRole('link').click()
    await row(page, 'HTTP 500').getByText('the database is away').waitFor()
    await row(page, 'TIMEOUT').getByText('15,000').waitFor()
    await row(page, 'the server stopped').waitFor()
    await checkAppearance(page, 'delivery', { shoot, sizes: SIZES })
    expect(await audit('action=webhook_delivery.replay')).toMatchObject([{ target: 'wh_1', outcome: 'done' }])
  })

  it('shows the secret of a service account once', async () => {
    const page = await openAdmin('/service-accounts')
    await page.getByRole('button', { name: 'New service account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('college')
    await dialog.getByLabel('Login of the technical user').fill('school-backend')
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
    await shoot(page, 'ru-overview', { fullPage: true })
    const links = page.getByRole('navigation', { name: 'Разделы администрирования' }).getByRole('link')
    const count = await links.count()
    expect(count).toBe(11)
    for (let i = 1; i < count; i++) {
      await links.nth(i).click()
      await page.getByText('Загружаем…').waitFor({ state: 'detached' })
      await checkAppearance(page, `ru-section-${i}`, { shoot, sizes: [PHONE] })
    }
    await page.getByRole('cell', { name: 'Пользователь создан' }).first().waitFor()
  })
})
