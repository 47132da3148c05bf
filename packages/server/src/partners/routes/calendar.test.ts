import ICAL from 'ical.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer({ Limits: { Enabled: '0' } })
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const path = '/rooms/algebra/calendar.ics'
const eventOf = (text: string) => {
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  return (name: string) => String(event?.getFirstPropertyValue(name))
}

describe('GET /rooms/{external_id}/calendar.ics', () => {
  it('follows the room: same UID, growing SEQUENCE, and STATUS once it is cancelled', async () => {
    const room = await school.room('algebra', {
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
    })
    const first = await school.call('GET', path)
    expect(first.headers).toMatchObject({ 'content-type': 'text/calendar; charset=utf-8' })
    const before = eventOf(String(first.body))
    expect(before('dtstart')).toBe('2026-09-01T07:00:00Z')
    expect(before('url')).toBe(room.join_url)
    await school.patch('algebra', { starts_at: '2026-09-01T10:30:00+03:00' })
    await school.call('POST', '/rooms/algebra/cancel')
    const after = eventOf(String((await school.call('GET', path)).body))
    expect(after('uid')).toBe(before('uid'))
    expect(Number(after('sequence'))).toBeGreaterThan(Number(before('sequence')))
    expect(after('status')).toBe('CANCELLED')
  })

  it('answers 304 to whom has the newest version, in both versions of the API', async () => {
    for (const base of ['/api/v1/integration', '/api/v2/integration']) {
      const get = (headers = {}) => server.call('GET', base + path, { token: school.token, headers })
      const { headers } = await get()
      const again = await get({ 'if-none-match': headers.etag })
      expect(again.status).toBe(304)
      expect(again.headers.etag).toBe(headers.etag)
    }
  })

  it('has the signed link of the role that is asked for', async () => {
    const { student_join_url } = (await school.get('algebra')).body
    const { body } = await school.call('GET', `${path}?role=student`)
    expect(eventOf(String(body))('url')).toBe(student_join_url)
  })

  it('refuses rooms of others and rooms without a time', async () => {
    const clinic = await server.addPartner('clinic')
    expect(await clinic.call('GET', path)).toEqual(refused(404, 'room_not_found'))
    await school.room('some-day')
    expect(await school.call('GET', '/rooms/some-day/calendar.ics')).toEqual(refused(409, 'room_has_no_time'))
  })
})
