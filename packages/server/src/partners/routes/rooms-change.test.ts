import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const [TEN, ELEVEN, TWELVE] = [10, 11, 12].map(hour => `2026-09-01T${hour}:00:00Z`) as [
  string,
  string,
  string,
]
const full = {
  title: 'Algebra',
  starts_at: TEN,
  ends_at: ELEVEN,
  description: 'Bring a ruler',
  teacher: { display_name: 'Ms T', external_id: 't-1' },
  student: { display_name: 'Sam', external_id: 's-1' },
}
let rooms = 0
async function newRoom(body: unknown = full) {
  const id = `lesson-${++rooms}`
  return { id, before: await school.room(id, body) }
}

describe('PATCH /rooms/{external_id}', () => {
  it.each([
    [{ title: 'Geometry' }],
    [{ description: 'x' }],
    [{ description: '' }],
    [{ description: null }],
    [{ starts_at: null }],
    [{ ends_at: TWELVE }],
    [{ starts_at: ELEVEN, ends_at: TWELVE }],
    [{ starts_at: null, ends_at: null }],
    [{ board: 'fresh' }],
    [{ board: 'off' }],
  ])('changes %j and nothing else', async change => {
    const { id, before } = await newRoom()
    const { status, body } = await school.patch(id, change)
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, ...change })
    expect((await school.get(id)).body).toEqual(body)
  })

  it.each([
    [{ name: 'Geometry' }, 'Geometry'],
    [{ name: 'A', title: 'B' }, 'B'],
    [{ title: null }, 'ID'],
    [{ title: '' }, 'ID'],
    [{ name: null }, 'ID'],
  ])('takes the title from %j', async (change, title) => {
    const { id } = await newRoom()
    expect((await school.patch(id, change)).body.title).toBe(title === 'ID' ? id : title)
  })

  it.each([
    [{ display_name: 'T.' }, { display_name: 'T.', external_id: 't-1' }],
    [{ display_name: null }, { display_name: '', external_id: 't-1' }],
    [{ external_id: 't-2' }, { display_name: 'Ms T', external_id: 't-2' }],
    [{ external_id: null }, { display_name: 'Ms T' }],
    [{}, { display_name: 'Ms T', external_id: 't-1' }],
    [null, { display_name: '' }],
  ])('changes the teacher by %j but not the student', async (teacher, expected) => {
    const { id, before } = await newRoom()
    const { body } = await school.patch(id, { teacher })
    expect(body.teacher).toEqual(expected)
    expect([body.student, body.student_join_url]).toEqual([before.student, before.student_join_url])
  })

  it('BOARD-1 names the board only where it is not kept', async () => {
    const { id } = await newRoom({ ...full, board: 'fresh' })
    expect((await school.get(id)).body.board).toBe('fresh')
    const cleared = await school.patch(id, { board: null })
    expect([cleared.status, cleared.body.board]).toEqual([200, undefined])
    expect(await school.patch(id, { board: 'often' })).toMatchObject({ status: 400 })
  })

  it('changes nothing for an empty or absent body', async () => {
    const { id, before } = await newRoom()
    expect((await school.patch(id, {})).body).toEqual(before)
    expect((await school.call('PATCH', `/rooms/${id}`)).body).toEqual(before)
    expect((await school.patch(id, { colour: 'red', tag: 'mine', room_id: 5 })).body).toEqual(before)
  })

  it.each([
    [{ ends_at: TEN }],
    [{ ends_at: '2026-09-01T09:59:59Z' }],
    [{ starts_at: ELEVEN }],
    [{ starts_at: '2026-09-01T14:00:00+02:00' }],
    [{ starts_at: TWELVE, ends_at: ELEVEN }],
    [{ title: 5 }],
    [{ starts_at: 'soon' }],
    [{ teacher: { external_id: '' } }],
  ])('rejects %j and changes nothing', async change => {
    const { id, before } = await newRoom()
    expect(await school.patch(id, { description: 'new', ...change })).toEqual(
      refused(400, 'invalid_argument'),
    )
    expect((await school.get(id)).body).toEqual(before)
  })

  it('answers 404 for an unknown room, and creates none', async () => {
    expect(await school.patch('none', { title: 'X' })).toEqual(refused(404, 'room_not_found'))
    expect(await school.get('none')).toEqual(refused(404, 'room_not_found'))
  })

  it.each(['cancel', 'close'])(
    'updates a room after %s without changing its status (HOSTED-3)',
    async verb => {
      const { id } = await newRoom()
      const { body } = await school.call('POST', `/rooms/${id}/${verb}`)
      expect((await school.patch(id, { title: 'Late' })).body).toEqual({ ...body, title: 'Late' })
    },
  )

  it('loses none of many concurrent updates', async () => {
    const { id } = await newRoom({})
    const changes = [
      { title: 'T' },
      { description: 'D' },
      { starts_at: TEN },
      { ends_at: ELEVEN },
      { teacher: { display_name: 'Ms T' } },
      { teacher: { external_id: 't' } },
      { student: { display_name: 'Sam' } },
      { student: { external_id: 's' } },
    ]
    const answers = await Promise.all(changes.map(change => school.patch(id, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    expect((await school.get(id)).body).toMatchObject({
      title: 'T',
      description: 'D',
      starts_at: TEN,
      ends_at: ELEVEN,
      teacher: { display_name: 'Ms T', external_id: 't' },
      student: { display_name: 'Sam', external_id: 's' },
    })
  })
})
