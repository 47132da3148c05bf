import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
let clinic: Partner
beforeAll(async () => {
  server = await startTestServer({ Limits: { Enabled: '0' } })
  school = await server.addPartner('school')
  clinic = await server.addPartner('clinic')
})
afterAll(() => server.close())

describe('PUT /rooms/{external_id}', () => {
  it('reports whether it created the room, also to concurrent callers', async () => {
    expect((await school.put('first')).body.created).toBe(true)
    expect((await school.put('first')).body.created).toBe(false)
    const answers = await Promise.all(Array.from({ length: 8 }, () => school.put('at-once')))
    expect(answers.map(({ body }) => body.created).filter(Boolean)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.tag)).size).toBe(1)
  })

  it('names the fields of the request that differ from the existing room, and changes none', async () => {
    const lesson = {
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
      description: null,
      teacher: { display_name: 'Ms T', external_id: 't-1' },
      student: { display_name: 'Sam' },
    }
    const { created: _, ...stored } = (await school.put('differing', lesson)).body
    expect(stored.differing_fields).toEqual([])
    const differing = async (body: unknown) => {
      const { created, differing_fields, ...room } = (await school.put('differing', body)).body
      expect({ created, ...room, differing_fields: [] }).toEqual({ created: false, ...stored })
      return differing_fields
    }
    for (const same of [
      undefined,
      {},
      lesson,
      { title: ' Algebra ' },
      { name: 'Algebra' },
      { starts_at: '2026-09-01T07:00:00Z' },
      { teacher: { display_name: 'Ms T' }, student: {} },
      { student: { external_id: null } },
      { unknown: 1 },
    ])
      expect(await differing(same), JSON.stringify(same)).toEqual([])
    for (const [body, fields] of [
      [{ title: 'Geometry' }, ['title']],
      [{ title: null }, ['title']],
      [{ name: 'Geometry' }, ['title']],
      [{ description: '' }, ['description']],
      [{ starts_at: null }, ['starts_at']],
      [{ ends_at: '2026-09-01T11:00:00Z' }, ['ends_at']],
      // Later than the stored end: the request is compared, not merged.
      [{ starts_at: '2027-01-01T00:00:00Z' }, ['starts_at']],
      [{ teacher: { display_name: 'Mr T' } }, ['teacher.display_name']],
      [{ teacher: null }, ['teacher.display_name', 'teacher.external_id']],
      [
        { student: { display_name: '', external_id: 's-1' } },
        ['student.display_name', 'student.external_id'],
      ],
    ] as const)
      expect(await differing(body), JSON.stringify(body)).toEqual(fields)
  })
})

describe('GET /rooms', () => {
  const list = async (partner: Partner, query = '') => (await partner.call('GET', `/rooms${query}`)).body

  it('lists the rooms of the own technical user as the status response does, newest first', async () => {
    const doctor = await server.addPartner('doctor')
    expect(await list(doctor)).toEqual({ result: 200, rooms: [], next: null })
    const colleague = await server.addPartner('colleague', { user: 'doctor-robot' })
    await doctor.room('visit-1', { teacher: { external_id: 'd-1' } })
    await doctor.room('visit-2')
    await clinic.room('visit-3')
    for (const partner of [doctor, colleague]) {
      const { rooms, next } = await list(partner)
      expect(next).toBeNull()
      expect(rooms.map((room: { external_id: string }) => room.external_id)).toEqual(['visit-2', 'visit-1'])
      const { result: _, ...status } = (await partner.call('GET', '/rooms/visit-1/status')).body
      expect(rooms[1]).toEqual(status)
    }
    expect(JSON.stringify(await list(clinic))).not.toMatch(/visit-[12]/)
  })

  it('filters by status, person and part of a name, together', async () => {
    const office = await server.addPartner('office')
    const people = (teacher: string, student: string) => ({
      teacher: { external_id: teacher },
      student: { external_id: student },
    })
    await office.room('a', { title: 'Über uns', ...people('t-1', 's-1') })
    await office.room('b', { title: '100% art', ...people('t-1', 's-2') })
    await office.room('c', people('t-2', 's-1'))
    await office.call('POST', '/rooms/b/close')
    await office.call('POST', '/rooms/c/cancel')
    const ids = async (query: string) =>
      (await list(office, query)).rooms.map((room: { external_id: string }) => room.external_id)
    expect(await ids('?status=closed')).toEqual(['b'])
    expect(await ids('?status=scheduled')).toEqual(['a'])
    expect(await ids('?teacher=t-1')).toEqual(['b', 'a'])
    expect(await ids('?student=s-1')).toEqual(['c', 'a'])
    expect(await ids('?student=s-1&teacher=t-1')).toEqual(['a'])
    expect(await ids(`?search=${encodeURIComponent('ÜBER')}`)).toEqual(['a'])
    expect(await ids('?search=0%25')).toEqual(['b'])
    expect(await ids('?search=%20')).toEqual(['c', 'b', 'a'])
    expect(await ids('?teacher=nobody')).toEqual([])
  })

  it('refuses values that no list has (API-10)', async () => {
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'limit=',
      'before=x',
      `before=${'9'.repeat(16)}`,
      'status=active',
      'status=',
      'teacher=',
      `teacher=${'x'.repeat(256)}`,
      `search=${'x'.repeat(101)}`,
      'limit=1&limit=2',
    ])
      expect(await school.call('GET', `/rooms?${query}`), query).toEqual(refused(400, 'invalid_argument'))
    const message = async (query: string) => (await school.call('GET', `/rooms?${query}`)).body.message
    expect(await message('limit=0')).toBe('limit must be a whole number from 1 to 200.')
    expect(await message('limit=1&limit=2')).toBe('limit must be given once.')
    expect(await message('before=x')).toBe('before must be the value of next in the previous page.')
    expect(await server.call('GET', '/api/v1/integration/rooms')).toEqual(refused(401, 'unauthenticated'))
  })

  it('reads 10,000 rooms in pages without a gap or a repetition, while rooms are added (API-10)', async () => {
    const large = await server.addPartner('large')
    const [{ client_id: clientId }] = (await server.query(
      'integration',
      sql<{ client_id: number }>`SELECT client_id FROM service_accounts WHERE name = 'large'`,
    )) as [{ client_id: number }]
    const people = sql.raw(`'', 1, '', '', 1, ''`)
    for (let from = 0; from < 10_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, i) => from + i).map(
        n => sql`(${clientId}, ${`x-${n}`}, ${`tag-${n}`}, '', 'scheduled', ${people}, 1, 1, 1)`,
      )
      await server.query(
        'integration',
        sql`INSERT INTO rooms (client_id, external_id, tag, title, status, teacher_name, teacher_link_version,
          teacher_link_name, student_name, student_link_version, student_link_name, revision, created_at, updated_at)
          VALUES ${sql.join(rows)}`,
      )
    }
    const found: string[] = []
    for (let before = ''; ; ) {
      const { rooms, next } = await list(large, `?limit=200${before}`)
      expect(rooms.length).toBeLessThanOrEqual(200)
      found.push(...rooms.map((room: { external_id: string }) => room.external_id))
      if (found.length === 400) await large.room('newer')
      if (next === null) break
      before = `&before=${next}`
    }
    expect([found.length, new Set(found).size]).toEqual([10_000, 10_000])
  })
})
