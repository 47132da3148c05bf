import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterLink, type Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
let clinic: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
  clinic = await server.addPartner('clinic')
})
afterAll(() => server.close())

let rooms = 0
const newRoom = (body: unknown, partner = school) => partner.room(`lesson-${++rooms}`, body)
const teacherOf = (externalId: string, partner = school) =>
  newRoom({ teacher: { external_id: externalId, display_name: 'Ms T' } }, partner)
const enter = (joinUrl: string, body?: unknown) => enterLink(server.call, joinUrl, body)
const me = async (token: string) => (await server.call('GET', '/api/v1.0/me', { token })).body

describe('POST /join/<personal_token>', () => {
  it('returns user tokens that are valid for the ordinary API', async () => {
    const room = await teacherOf('works')
    const { status, body } = await enter(room.teacher_join_url)
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      login: expect.any(String),
      user_id: expect.any(Number),
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
    })
    expect(await me(body.access_token)).toEqual({
      result: 200,
      user_id: body.user_id,
      login: body.login,
      display_name: 'Ms T',
      kind: 'ordinary',
      capabilities: [],
      language: null,
      email: null,
      missed_call_mails: null,
      has_password: false,
    })
    const refresh = { refresh_token: body.refresh_token }
    const next = await server.call('POST', '/api/v1.0/auth/refresh', { body: refresh })
    expect((await me(next.body.access_token)).user_id).toBe(body.user_id)
  })

  it('signs in to the rooms of the partner, and gives no conferences and calendar of its own', async () => {
    const { teacher_join_url } = await teacherOf('no-user')
    const { access_token: token } = (await enter(teacher_join_url)).body
    for (const path of ['/api/v1.0/conferences', '/api/v1.0/me/calendar'])
      expect(await server.call('POST', path, { token }), path).toEqual(refused(403, 'permission_denied'))
  })

  it('creates one account for twenty concurrent callers (PERSON-2)', async () => {
    const before = (await server.operator.users.list()).length
    const room = await teacherOf('crowd')
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(room.teacher_join_url)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.user_id)).size).toBe(1)
    expect(await server.operator.users.list()).toHaveLength(before + 1)
  })

  it('maps one person of one owner to one account, in all rooms, roles, names and links (PERSON-1, PERSON-2)', async () => {
    const person = { external_id: 'same', display_name: 'One name' }
    const first = await newRoom({ teacher: person })
    const second = await newRoom({ student: { ...person, display_name: 'Another name' } })
    const third = await newRoom({ teacher: person, student: person })
    const links = [
      first.teacher_join_url,
      second.student_join_url,
      third.teacher_join_url,
      third.student_join_url,
    ]
    const ids = []
    for (const link of links) ids.push((await enter(link)).body.user_id)
    expect(new Set(ids).size).toBe(1)
  })

  it('maps a person to the same account for all service accounts of one owner', async () => {
    const second = await server.addPartner('school-2', { user: 'school-robot' })
    const [one, two] = [await teacherOf('colleague'), await teacherOf('colleague', second)]
    expect((await enter(two.teacher_join_url)).body.user_id).toBe(
      (await enter(one.teacher_join_url)).body.user_id,
    )
  })

  it('separates persons of different owners, and ids that look similar (PERSON-1)', async () => {
    const ids = ['pupil', 'Pupil', 'pupil ', 'pupil\u0301']
    const ours = await Promise.all(ids.map(id => teacherOf(id)))
    const theirs = await teacherOf('pupil', clinic)
    const entered = await Promise.all([...ours, theirs].map(room => enter(room.teacher_join_url)))
    expect(new Set(entered.map(({ body }) => body.user_id)).size).toBe(ids.length + 1)
  })

  it('separates owner and person ids that concatenate to the same string', async () => {
    const [a, b] = [school.account.clientId, clinic.account.clientId]
    const one = await teacherOf(`${b}:x`)
    const two = await teacherOf(`${a}:x`, clinic)
    expect((await enter(one.teacher_join_url)).body.user_id).not.toBe(
      (await enter(two.teacher_join_url)).body.user_id,
    )
  })

  it.each([
    [undefined, 'Ms T'],
    [{}, 'Ms T'],
    [{ display_name: '' }, 'Ms T'],
    [{ display_name: '  ' }, 'Ms T'],
    [{ display_name: null }, 'Ms T'],
    [{ display_name: ' Maria ' }, 'Maria'],
    [{ display_name: '👋'.repeat(128) }, '👋'.repeat(128)],
  ])('names the new account from %j', async (body, name) => {
    const room = await teacherOf(`named-${rooms}`)
    expect((await me((await enter(room.teacher_join_url, body)).body.access_token)).display_name).toBe(name)
  })

  it('renames the account only if another name is given (PERSON-5)', async () => {
    const room = await teacherOf('renamed')
    await enter(room.teacher_join_url, { display_name: 'Maria' })
    const again = await enter(room.teacher_join_url)
    expect((await me(again.body.access_token)).display_name).toBe('Maria')
    await enter(room.teacher_join_url, { display_name: 'Mary' })
    expect((await me(again.body.access_token)).display_name).toBe('Mary')
  })

  it.each([
    [{ display_name: 5 }],
    [{ display_name: 'x'.repeat(129) }],
    [{ display_name: 'a\0' }],
    [null],
    [[]],
  ])('rejects the body %j', async body => {
    const room = await teacherOf('bodies')
    expect(await enter(room.teacher_join_url, body)).toEqual(refused(400, 'invalid_argument'))
  })

  it('refuses a link that does not identify a person', async () => {
    const room = await newRoom({ teacher: { display_name: 'Ms T' } })
    expect(await enter(room.teacher_join_url)).toEqual(refused(400, 'no_participant_account'))
    expect(await enter(room.student_join_url)).toEqual(refused(400, 'no_participant_account'))
  })

  it('grants no permission beyond those of an ordinary account', async () => {
    const room = await teacherOf('humble')
    const { body } = await enter(room.teacher_join_url)
    expect((await me(body.access_token)).capabilities).toEqual([])
    expect(await server.call('GET', '/api/v1/integration/rooms/x', { token: body.access_token })).toEqual(
      refused(401, 'unauthenticated'),
    )
  })

  it('answers account_deleted for a deleted account, and creates no other', async () => {
    const room = await teacherOf('deleted')
    const { body } = await enter(room.teacher_join_url)
    await server.operator.users.remove(body.login)
    expect(await enter(room.teacher_join_url)).toEqual(refused(401, 'account_deleted'))
    expect(await enter((await teacherOf('deleted')).teacher_join_url)).toEqual(
      refused(401, 'account_deleted'),
    )
    expect(await server.call('GET', '/api/v1.0/me', { token: body.access_token })).toEqual(
      refused(401, 'account_deleted'),
    )
  })
})
