import ICAL from 'ical.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
beforeAll(async () => {
  server = await startTestServer({ Limits: { Enabled: '0' }, Server: { LogLevel: 'debug' } })
  for (const login of ['anna', 'ben']) {
    const { id, password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    tokens[login] = body.access_token
    ids[login] = id
  }
})
afterAll(() => server.close())

const call = (method: string, path: string, person: string, body?: unknown) =>
  server.call(method, `/api/v1.0${path}`, {
    token: tokens[person] as string,
    ...(body !== undefined && { body }),
  })
const makeLink = async (person: string): Promise<string> =>
  new URL((await call('POST', '/me/calendar', person)).body.url).pathname
const plan = async (title: string, starts_at: string | null, ends_at: string | null = null) =>
  (await call('POST', '/conferences', 'anna', { title, starts_at, ends_at })).body
const eventsOf = async (link: string) =>
  new ICAL.Component(ICAL.parse((await server.call('GET', link)).body))
    .getAllSubcomponents('vevent')
    .map(each => ({
      title: each.getFirstPropertyValue('summary'),
      start: String(each.getFirstPropertyValue('dtstart')),
      status: each.getFirstPropertyValue('status'),
      uid: each.getFirstPropertyValue('uid'),
      sequence: Number(each.getFirstPropertyValue('sequence')),
    }))

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+/, '')

describe('a personal calendar', () => {
  it('CALENDAR-2 has the planned meetings of the user, follows their changes, and shows removed ones as cancelled', async () => {
    const link = await makeLink('anna')
    await plan('Some day', null)
    await plan('Long ago', inDays(-100))
    const start = inDays(1)
    const meeting = await plan('Algebra', start, inDays(2))
    const before = await eventsOf(link)
    expect(before).toMatchObject([{ title: 'Algebra', start, status: 'CONFIRMED' }])
    expect((await call('GET', `/conferences/${meeting.tag}`, 'ben')).body.starts_at).toBe(meeting.starts_at)
    const moved = inDays(3)
    await call('PATCH', `/conferences/${meeting.tag}`, 'anna', { starts_at: moved, ends_at: null })
    await call('DELETE', `/conferences/${meeting.tag}`, 'anna')
    const [after] = await eventsOf(link)
    expect(after).toMatchObject({ uid: before[0]?.uid, start: moved, status: 'CANCELLED' })
    expect(after?.sequence).toBeGreaterThan(before[0]?.sequence ?? 0)
  })

  it('CALENDAR-2 has the meetings of others once the user has joined them, not while only invited', async () => {
    const meeting = await plan('Team', inDays(1))
    const link = await makeLink('ben')
    expect(await eventsOf(link)).toEqual([])
    await server.query(
      'main',
      sql`INSERT INTO conversation_members (chat_id, user_id, other_id, read_id)
          SELECT chat_id, ${ids.ben}, NULL, 0 FROM conversations WHERE tag = ${meeting.tag}`,
    )
    expect(await eventsOf(link)).toMatchObject([{ title: 'Team' }])
  })

  it('CALENDAR-1 ends with its link, which is replaced or revoked, and is in neither database nor log', async () => {
    const first = await makeLink('anna')
    const second = await makeLink('anna')
    expect(await server.call('GET', first)).toEqual(refused(404, 'calendar_not_found'))
    expect((await server.call('GET', second)).status).toBe(200)
    expect((await call('GET', '/me/calendar', 'anna')).body.created_at_ms).toEqual(expect.any(Number))
    const token = second.split('/').at(-2) as string
    expect(JSON.stringify(await server.query('main', sql`SELECT * FROM calendar_links`))).not.toContain(token)
    expect(server.log()).not.toContain(token)
    await call('DELETE', '/me/calendar', 'anna')
    expect(await server.call('GET', second)).toEqual(refused(404, 'calendar_not_found'))
    expect((await call('GET', '/me/calendar', 'anna')).body.created_at_ms).toBeNull()
  })

  it('CALENDAR-1 ends when the account is disabled', async () => {
    const link = await makeLink('ben')
    await server.operator.users.set('ben', { disabled: true })
    expect(await server.call('GET', link)).toEqual(refused(404, 'calendar_not_found'))
  })

  it('CALENDAR-3 is not transferred again while it has not changed', async () => {
    const link = await makeLink('anna')
    const { headers } = await server.call('GET', link)
    const again = await server.call('GET', link, { headers: { 'if-none-match': headers.etag as string } })
    expect(again.status).toBe(304)
  })

  it('refuses an end without, or before, its start', async () => {
    for (const times of [
      { ends_at: inDays(1) },
      { starts_at: null, ends_at: inDays(1) },
      { starts_at: inDays(2), ends_at: inDays(1) },
    ])
      expect(await call('POST', '/conferences', 'anna', times)).toEqual(refused(400, 'invalid_argument'))
  })
})
