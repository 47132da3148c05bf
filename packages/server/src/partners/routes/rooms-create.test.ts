import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Partner, roomOf } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

let rooms = 0
const newId = () => `lesson-${++rooms}`
const create = async (body: unknown) => (await school.put(newId(), body)).body

describe('PUT /rooms/{external_id}', () => {
  it('returns the room with its links and no other field', async () => {
    const { status, body } = await school.put('full', {
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
      description: 'Bring a ruler',
      teacher: { display_name: 'Ms T', external_id: 't-1' },
      student: { display_name: 'Sam' },
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      room_id: expect.any(Number),
      external_id: 'full',
      tag: expect.stringMatching(/^[2-9a-z]{4}-[2-9a-z]{5}-[2-9a-z]{4}$/),
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      ends_at: '2026-09-01T11:00:00+03:00',
      description: 'Bring a ruler',
      status: 'scheduled',
      join_url: `${server.url}/conferences/${body.tag}`,
      teacher_join_url: expect.stringMatching(new RegExp(`^${server.url}/j/[\\w-]{32,}$`)),
      student_join_url: expect.stringMatching(new RegExp(`^${server.url}/j/[\\w-]{32,}$`)),
      teacher: { display_name: 'Ms T', external_id: 't-1' },
      student: { display_name: 'Sam' },
      created: true,
      differing_fields: [],
    })
    expect(body.teacher_join_url).not.toBe(body.student_join_url)
    expect(Number.isInteger(body.room_id)).toBe(true)
  })

  it.each([
    [{ title: null, name: 'X' }, 'X'],
    [{ title: 'T', name: 'X' }, 'T'],
    [{ title: 'T', name: null }, 'T'],
    [{ title: null, name: null }, null],
    [{ name: null }, null],
    [{ title: '', name: 'X' }, null],
  ])('takes the title from %j, in PUT as in PATCH', async (request, title) => {
    const id = `titled-${JSON.stringify(request).length}-${title}`
    const created = (await school.put(encodeURIComponent(id), request)).body
    expect(created.title).toBe(title ?? id)
    await school.patch(encodeURIComponent(id), { title: 'Another' })
    expect((await school.patch(encodeURIComponent(id), request)).body.title).toBe(title ?? id)
  })

  it('requires no field and no body', async () => {
    const bare = { title: 'bare', starts_at: null, ends_at: null, description: null, status: 'scheduled' }
    const people = { teacher: { display_name: '' }, student: { display_name: '' } }
    const answers = [
      await school.put('bare'),
      await school.call('PUT', '/rooms/bare'),
      await school.call('PUT', '/rooms/bare', { headers: { 'content-type': 'application/json' } }),
      await school.call('PUT', '/rooms/bare', { headers: { 'content-length': '0' } }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ ...bare, ...people })
      expect(roomOf(body)).toEqual(roomOf(answers[0]?.body))
    }
  })

  it.each([
    [{ title: 'A', name: 'B' }, 'A'],
    [{ name: 'B' }, 'B'],
    [{ title: '', name: 'B' }, 'ID'],
    [{ title: '  A  ' }, 'A'],
    [{ title: ' ' }, 'ID'],
    [{ title: null }, 'ID'],
    [{ name: '' }, 'ID'],
    [{ title: '👋'.repeat(500) }, '👋'.repeat(500)],
  ])('takes the title from %j', async (body, title) => {
    const id = newId()
    expect((await school.put(id, body)).body.title).toBe(title === 'ID' ? id : title)
  })

  it.each([
    '2026-09-01T10:00:00Z',
    '2026-09-01T10:00:00.250+05:30',
    '2026-09-01T10:00Z',
    '2026-09-01T10:00:00-0330',
    '2024-02-29T23:59:59+14',
  ])('stores the time %s as written', async time => {
    expect(await create({ starts_at: time })).toMatchObject({ starts_at: time, ends_at: null })
    expect(await create({ ends_at: time })).toMatchObject({ starts_at: null, ends_at: time })
  })

  it('treats null as absent', async () => {
    const body = {
      starts_at: null,
      ends_at: null,
      description: null,
      teacher: null,
      student: null,
      name: null,
    }
    expect(await create(body)).toMatchObject({
      starts_at: null,
      description: null,
      teacher: { display_name: '' },
    })
    const person = { display_name: null, external_id: null }
    expect((await create({ teacher: person })).teacher).toEqual({ display_name: '' })
  })

  it('compares times as instants, not as strings', async () => {
    const body = { starts_at: '2026-09-01T10:00:00+03:00', ends_at: '2026-09-01T08:00:00Z' }
    expect(await create(body)).toMatchObject(body)
  })

  it('trims names and does not change person ids', async () => {
    const body = await create({ student: { display_name: ' Sam ', external_id: ' s 1 ' } })
    expect(body.student).toEqual({ display_name: 'Sam', external_id: ' s 1 ' })
  })

  it('ignores unknown fields, including those of its responses (API-4)', async () => {
    const body = await create({ colour: 'red', tag: 'mine', status: 'closed', teacher: { role: 'x' } })
    expect(body).toMatchObject({ status: 'scheduled', teacher: { display_name: '' } })
    expect(body.tag).not.toBe('mine')
    expect(body).not.toHaveProperty('colour')
  })

  it.each([
    [{ title: 5 }, 'title'],
    [{ title: {} }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ title: 'a\0b' }, 'title'],
    [{ name: [] }, 'name'],
    [{ name: 'x'.repeat(501) }, 'name'],
    [{ description: 5 }, 'description'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ starts_at: 1_700_000_000 }, 'starts_at'],
    [{ starts_at: '' }, 'starts_at'],
    [{ starts_at: '2026-09-01' }, 'starts_at'],
    [{ starts_at: '2026-09-01T10:00:00' }, 'starts_at'],
    [{ starts_at: '2026-02-30T10:00:00Z' }, 'starts_at'],
    [{ ends_at: 'tomorrow' }, 'ends_at'],
    [{ starts_at: '2026-09-01T10:00:00Z', ends_at: '2026-09-01T10:00:00Z' }, 'ends_at'],
    [{ starts_at: '2026-09-01T10:00:00Z', ends_at: '2026-09-01T12:00:00+03:00' }, 'ends_at'],
    [{ teacher: 'Ms T' }, 'teacher'],
    [{ teacher: [] }, 'teacher'],
    [{ student: true }, 'student'],
    [{ teacher: { display_name: 5 } }, 'teacher.display_name'],
    [{ teacher: { display_name: 'x'.repeat(129) } }, 'teacher.display_name'],
    [{ student: { external_id: 5 } }, 'student.external_id'],
    [{ student: { external_id: '' } }, 'student.external_id'],
    [{ student: { external_id: 'x'.repeat(256) } }, 'student.external_id'],
    [{ student: { external_id: 'ж'.repeat(128) } }, 'student.external_id'],
    [{ student: { external_id: 'a\0b' } }, 'student.external_id'],
  ])('rejects %j and names the field %s (API-3)', async (body, field) => {
    const id = newId()
    const message = expect.stringMatching(new RegExp(`^${field} must .*\\.$`))
    expect(await school.put(id, body)).toEqual(refused(400, 'invalid_argument', message))
    expect(await school.get(id)).toEqual(refused(404, 'room_not_found'))
  })

  it.each(['x'.repeat(255), 'ж'.repeat(127), '👋'.repeat(63), '名'.repeat(85)])(
    'counts a person id in bytes: %s',
    async id => {
      expect((await create({ teacher: { external_id: id } })).teacher.external_id).toBe(id)
    },
  )

  it('never changes an existing room', async () => {
    const first = await school.put('once', { title: 'First', teacher: { external_id: 't' } })
    const again = await school.put('once', {
      title: 'Second',
      teacher: { external_id: 'u' },
      starts_at: null,
    })
    expect(again.status).toBe(200)
    expect(roomOf(again.body)).toEqual(roomOf(first.body))
    expect((await school.get('once')).body).toEqual(roomOf(first.body))
  })

  it('returns the same room to fifty concurrent callers (API-8)', async () => {
    const calls = Array.from({ length: 50 }, (_, i) => school.put('race', { title: `Title ${i}` }))
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(roomOf(body)))).size).toBe(1)
  })

  it('returns closed and cancelled rooms unchanged', async () => {
    for (const [verb, status] of [
      ['close', 'closed'],
      ['cancel', 'cancelled'],
    ]) {
      await school.room(`over-${verb}`)
      await school.call('POST', `/rooms/over-${verb}/${verb}`)
      expect((await school.put(`over-${verb}`)).body.status).toBe(status)
    }
  })
})
