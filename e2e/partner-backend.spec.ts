import { join } from 'node:path'
import { freePort } from '@lectern/server/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { repositoryPath, useFolders } from './support/folders.ts'
import { type Account, useLectern } from './support/lectern.ts'
import { resolveLink } from './support/links.ts'
import { type Program, usePrograms } from './support/program.ts'

const makeFolder = useFolders()
const lectern = useLectern(() => ({ SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1' }))
const run = usePrograms()
let account: Account
let backend: Program
let journal: string
let port: string
let page: string

beforeAll(async () => {
  account = await lectern.addAccount()
  journal = join(makeFolder(), 'journal.jsonl')
  port = String(await freePort())
  page = `http://127.0.0.1:${port}`
  await startBackend()
})

describe('examples/partner-backend.mjs', () => {
  it('registers its webhook and shows a page without lessons', async () => {
    expect(await lectern.client(account).getWebhook()).toMatchObject({
      url: `${page}/webhooks`,
      enabled: true,
    })
    const html = await lessons()
    expect(html).toContain('<form method="post" action="/lessons">')
    expect(html).not.toContain('/j/')
  })

  it('creates a lesson from its form, with links that open as teacher and student', async () => {
    const made = await post('/lessons', { title: 'Drawing <& colours>', teacher: 'Olga', student: 'Ben' })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/'])

    const html = await lessons()
    expect(html).toContain('Drawing &#60;&#38; colours&#62;')
    expect(html).toContain('Scheduled')
    const [teacher, student] = linksIn(html)
    expect(await opened(teacher)).toMatchObject({
      title: 'Drawing <& colours>',
      role: 'teacher',
      display_name: 'Olga',
    })
    expect(await opened(student)).toMatchObject({ role: 'student', display_name: 'Ben' })
  })

  it('restores its lessons after a crash, and closes one with its button', async () => {
    const before = await lessons()
    await backend.kill('SIGKILL')
    await startBackend()
    expect(await lessons()).toBe(before)

    const [, action] = /action="(\/lessons\/[^"]+\/close)"/.exec(before) ?? []
    expect((await post(String(action), {})).status).toBe(303)
    const html = await lessons()
    expect(html).toContain('Finished')
    expect(linksIn(html)).toEqual([])
  })

  it('rejects requests from other sites and unsigned webhooks', async () => {
    const foreign = await fetch(`${page}/lessons`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ title: 'Unwanted' }),
    })
    expect(foreign.status).toBe(403)
    const forged = await fetch(`${page}/webhooks`, { method: 'POST', body: '{"id":"wh_1"}' })
    expect(forged.status).toBe(400)
    expect(await lessons()).not.toContain('Unwanted')
  })

  it('explains in one line what to do when the server is not running', async () => {
    const lost = run(process.execPath, [repositoryPath('examples/partner-backend.mjs')], {
      env: { ...environment(), LECTERN_URL: 'http://127.0.0.1:9', PORT: String(await freePort()) },
    })
    expect((await lost.ended).code).toBe(1)
    expect(lost.stderr).toContain('Is it running?')
  })
})

async function startBackend() {
  backend = run(process.execPath, [repositoryPath('examples/partner-backend.mjs')], { env: environment() })
  await backend.waitForOutput(/Lessons are at/)
}

const environment = () => ({
  LECTERN_URL: lectern.url,
  LECTERN_ACCOUNT: account.serviceAccount,
  LECTERN_SECRET: account.clientSecret,
  PARTNER_JOURNAL: journal,
  PORT: port,
})

async function lessons(): Promise<string> {
  const response = await fetch(page)
  expect(response.status).toBe(200)
  return response.text()
}

const post = (path: string, form: Record<string, string>) =>
  fetch(page + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

const linksIn = (html: string) => [...html.matchAll(/href="([^"]+\/j\/[^"]+)"/g)].map(([, link]) => link)

/** Resolves a link; its page MUST load, too. */
async function opened(link = ''): Promise<unknown> {
  expect((await fetch(link)).status).toBe(200)
  return resolveLink(link)
}
