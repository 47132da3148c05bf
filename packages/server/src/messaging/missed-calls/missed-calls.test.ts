import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { LANGUAGES } from '@lectern/protocol'
import type { CallInfo, Target } from '@lectern/protocol/control'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { missedCallMail } from '../../platform/mail/missed-call.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { type ReceivedMail, startSmtpServer } from '../../testing/smtp.ts'

const PUBLIC_URL = 'https://meet.school.example'

let refusals: number[] = []
const attempts: ReceivedMail[] = []
let smtp: Awaited<ReturnType<typeof startSmtpServer>>
let server: TestServer
beforeAll(async () => {
  smtp = await startSmtpServer(async mail => {
    attempts.push(mail)
    const responseCode = refusals.shift()
    if (responseCode !== undefined) throw Object.assign(new Error('not now'), { responseCode })
  })
  server = await startTestServer({
    Server: { LogLevel: 'info' },
    Integration: { PublicUrl: PUBLIC_URL },
    Conferences: { RingSeconds: '60' },
    Mail: { ...smtp.settings, Language: 'de' },
  })
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

class Person {
  readonly #client: ControlClient
  readonly token: string
  readonly id: string
  readonly email: string

  constructor(login: string, id: number, token: string) {
    this.id = String(id)
    this.token = token
    this.email = `${login}@school.example`
    this.#client = new ControlClient(platformEnvironment(WebSocket), {
      url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
      accessToken: async hasFailed => (hasFailed ? null : token),
      client: { name: 'test', version: '1', platform: 'node' },
    })
    this.#client.open()
    people.push(this)
  }

  get #self(): Target {
    return { kind: 'account', id: this.id }
  }

  async becomeContactOf(other: Person): Promise<void> {
    const login = other.email.split('@')[0] as string
    await this.#client.command('contact.add', this.#self, { login })
    await other.#client.command('contact.add', other.#self, { user_id: this.id })
  }

  async block(other: Person): Promise<void> {
    await this.#client.command('contact.remove', this.#self, { user_id: other.id, blocked: true })
  }

  async call(...others: Person[]): Promise<CallInfo> {
    const body = { user_ids: others.map(({ id }) => id), video: true }
    return (await this.#client.command('call.invite', { kind: 'operation', id: 'new' }, body)).call
  }

  async act(name: 'call.accept' | 'call.decline' | 'call.cancel', { call_id }: CallInfo): Promise<void> {
    await this.#client.command(name, { kind: 'operation', id: call_id }, {})
  }

  readonly choose = (body: object) => server.call('PATCH', '/api/v1.0/me', { token: this.token, body })

  close = () => this.#client.close()
}

const people: Person[] = []
afterEach(() => {
  for (const person of people.splice(0)) person.close()
})

let count = 0
/** A person with an address, who wants mails unless said otherwise. */
async function open(name: string, { wants = true, email = true, displayName = name } = {}): Promise<Person> {
  const login = `${name}${++count}`
  const { id, password } = await server.addUser(login)
  await server.operator.users.set(login, {
    name: displayName,
    ...(email && { email: `${login}@school.example` }),
  })
  const signedIn = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
  const person = new Person(login, id, signedIn.body.access_token)
  if (wants) expect((await person.choose({ missed_call_mails: true })).status).toBe(200)
  return person
}

/** Two people who can call each other. */
async function pair(displayName = 'Ben'): Promise<{ ben: Person; anna: Person }> {
  const [ben, anna] = [await open('ben', { wants: false, displayName }), await open('anna')]
  await ben.becomeContactOf(anna)
  return { ben, anna }
}

const mailsTo = ({ email }: Person) => smtp.mails.filter(({ to }) => to === email)
/** Mails are sent in turn: those that were stored before have been sent or refused. */
const isQueueEmpty = async () => {
  const { ben, anna } = await pair()
  await ben.act('call.cancel', await ben.call(anna))
  await expect.poll(() => mailsTo(anna), { timeout: 60_000 }).toHaveLength(1)
}
const decoded = ({ content }: ReceivedMail) => {
  const [, body = ''] = content.split(/\r\n\r\n([\s\S]*)/)
  const isBase64 = /content-transfer-encoding: base64/i.test(content)
  const bytes = isBase64
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
  return bytes.toString().replaceAll('\r\n', '\n')
}

describe('a missed call', () => {
  it('is sent by mail once, in the language of the person, with links and no secret (MISS-1)', async () => {
    const { ben, anna } = await pair('Dr. Ben https://evil.example')
    await anna.choose({ display_name: 'Anna', language: 'fr' })
    const call = await ben.call(anna)
    await ben.act('call.cancel', call)
    await expect.poll(() => mailsTo(anna)).toHaveLength(1)
    const [mail] = mailsTo(anna) as [ReceivedMail]
    const text = decoded(mail)
    expect(text).toContain('Bonjour Anna')
    expect(text).toContain('Dr. Ben https evil. example')
    expect(text).toContain(`${PUBLIC_URL}/calls/${call.call_id}\n`)
    expect(text).toContain(`${PUBLIC_URL}/settings`)
    const messageId = /^Message-ID:\s+<([^>]+)>/im.exec(mail.content)?.[1]
    expect(messageId).toBe(`missed-call.${call.call_id}.${anna.id}@meet.school.example`)
    expect(mail.content).toContain('Auto-Submitted: auto-generated')
    await isQueueEmpty()
    expect(mailsTo(anna)).toHaveLength(1)
    expect(server.log()).not.toContain(anna.email)
  })

  it('is sent to nobody who answered, declined, did not choose it, or blocks the caller (MISS-1, MISS-2)', async () => {
    const { ben, anna } = await pair()
    const [carl, dora, emil] = [
      await open('carl', { wants: false }),
      await open('dora'),
      await open('emil'),
    ] as const
    for (const other of [carl, dora, emil]) await ben.becomeContactOf(other)
    const call = await ben.call(anna, carl, dora, emil)
    await anna.act('call.accept', call)
    await dora.act('call.decline', call)
    await emil.block(ben)
    await ben.act('call.cancel', call)
    await anna.close()
    await isQueueEmpty()
    for (const person of [anna, carl, dora, emil]) expect(mailsTo(person)).toEqual([])
  })

  it('of a hostile caller fills no mailbox (MISS-4)', async () => {
    const { ben, anna } = await pair()
    for (let calls = 0; calls < 3; calls++) {
      await ben.act('call.cancel', await ben.call(anna))
      server.advance(60_000)
    }
    await isQueueEmpty()
    expect(mailsTo(anna)).toHaveLength(1)
  })

  it('is sent again after a temporary refusal, with the same id, and not after a final one (MISS-3)', async () => {
    const { ben, anna } = await pair()
    refusals = [451]
    await ben.act('call.cancel', await ben.call(anna))
    await expect.poll(() => server.log()).toContain('"status":451')
    expect(mailsTo(anna)).toEqual([])
    server.advance(60_000)
    await expect.poll(() => mailsTo(anna)).toHaveLength(1)
    const ids = attempts.map(({ content }) => /^Message-ID:\s+(\S+)/im.exec(content)?.[1])
    expect(ids.at(-1)).toMatch(/^<missed-call\./)
    expect(ids.at(-1)).toBe(ids.at(-2))

    const emil = await open('emil')
    await ben.becomeContactOf(emil)
    refusals = [550]
    await ben.act('call.cancel', await ben.call(emil))
    await expect.poll(() => server.log()).toContain('"status":550')
    server.advance(3_600_000)
    await isQueueEmpty()
    expect(mailsTo(emil)).toEqual([])
  })
})

describe('the choice of mails', () => {
  const me = async ({ token }: Person) => (await server.call('GET', '/api/v1.0/me', { token })).body
  const onOf = async (person: Person) => (await me(person)).missed_call_mails

  it('is off at first, needs an address, and can always be turned off', async () => {
    const anna = await open('anna', { wants: false })
    expect(await onOf(anna)).toBe(false)
    await anna.choose({ missed_call_mails: true })
    expect(await onOf(anna)).toBe(true)
    const nobody = await open('nobody', { wants: false, email: false })
    expect(await onOf(nobody)).toBeNull()
    expect(await nobody.choose({ missed_call_mails: true })).toEqual(refused(400, 'invalid_argument'))
    expect((await nobody.choose({ missed_call_mails: false })).status).toBe(200)
  })

  it('is turned off by a mail program without a sign-in, and by no browser that opens the link (MISS-5)', async () => {
    const { ben, anna } = await pair()
    await ben.act('call.cancel', await ben.call(anna))
    await expect.poll(() => mailsTo(anna)).toHaveLength(1)
    const { content = '' } = mailsTo(anna)[0] ?? {}
    expect(content).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const address = /^List-Unsubscribe:\s+<([^>]+)>/m.exec(content)?.[1] ?? ''
    const { origin, pathname } = new URL(address)
    expect(origin).toBe(PUBLIC_URL)
    const visit = await fetch(`${server.url}${pathname}`, { redirect: 'manual' })
    expect([visit.status, visit.headers.get('location')]).toEqual([303, '/settings'])
    expect(await onOf(anna)).toBe(true)

    const unsubscribe = (path: string, body: URLSearchParams | FormData) =>
      fetch(`${server.url}${path}`, { method: 'POST', body }).then(({ status }) => status)
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const wrong = pathname.replace(/-(.)/, (_, first) => `-${first === 'A' ? 'B' : 'A'}`)
    const ofAnother = pathname.replace(`/${anna.id}-`, `/${ben.id}-`)
    for (const path of [wrong, ofAnother, `${pathname}A`]) expect(await unsubscribe(path, form)).toBe(404)
    expect(await onOf(anna)).toBe(true)
    expect(await unsubscribe(pathname, form)).toBe(200)
    expect(await onOf(anna)).toBe(false)
    await anna.choose({ missed_call_mails: true })
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    expect(await unsubscribe(pathname, multipart)).toBe(200)
    expect(await onOf(anna)).toBe(false)
  })

  it.each(LANGUAGES)('has a complete text in %s', language => {
    const values = {
      name: 'NAME',
      caller: 'www.evil.example',
      calledAtMs: 0,
      link: 'LINK',
      settings: 'SETTINGS',
    }
    const { subject, text } = missedCallMail(language, values)
    const all = `${subject}\n${text}`
    for (const part of ['NAME', 'LINK', 'SETTINGS']) expect(all).toContain(part)
    expect(all.match(/\u2068www\. evil\. example\u2069/g)).toHaveLength(2)
    expect(all).not.toMatch(/[{}]/)
  })
})
