import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { MEMBERS_MAX } from '../../members.ts'

let server: TestServer
const people: Record<string, { token: string; id: number }> = {}
beforeAll(async () => {
  server = await startTestServer({ Conferences: { Directory: '1' } })
  for (const [login, name] of [
    ['anna', 'Anna Petrova'],
    ['ben', 'Борис Иванов'],
    ['cleo', '100% Cleo'],
  ] as const) {
    const { password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    people[login] = { token: body.access_token, id: body.user.user_id }
    await server.call('PATCH', '/api/v1.0/me', { token: body.access_token, body: { display_name: name } })
  }
  const guest = (await server.call('POST', '/api/v1.0/auth/guest', { body: { display_name: 'Anna G' } })).body
  people.guest = { token: guest.access_token, id: guest.user.user_id }
})
afterAll(() => server.close())

const call = (method: string, path: string, person: string, body?: object) =>
  server.call(method as 'GET', `/api/v1.0${path}`, {
    ...(people[person] && { token: people[person].token }),
    ...(body && { body }),
  })
const idOf = (person: string) => people[person]?.id as number

/** Over the control channel, in a session of v1. */
async function setBlocked(person: string, other: string, blocked: boolean): Promise<void> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1.0/control`, ['svc.control'])
  await once(socket, 'open')
  const exchange = async (frame: object) => {
    socket.send(JSON.stringify(frame))
    for (;;) {
      const answer = JSON.parse(String((await once(socket, 'message'))[0]))
      if (!('event' in answer)) return answer
    }
  }
  const client = { name: 'test', version: '1', platform: 'node' }
  await exchange({ login: { access_token: people[person]?.token, client } })
  const params = { user_id: String(idOf(other)), blocked }
  expect(await exchange({ id: '1', command: 'contact.remove', params })).toEqual({ id: '1', result: {} })
  socket.close()
}

describe('members of a conference', () => {
  it('MSG-30 are its owner and those whom the owner adds', async () => {
    const { tag } = (await call('POST', '/conferences', 'anna', { title: 'Team' })).body
    const members = `/conferences/${tag}/members`
    expect(await call('GET', members, 'ben')).toEqual(refused(403, 'permission_denied'))
    expect(await call('POST', members, 'ben', { login: 'ben' })).toEqual(refused(403, 'permission_denied'))
    expect((await call('POST', members, 'anna', { login: ' BEN ' })).body).toEqual({
      result: 200,
      user_id: idOf('ben'),
      display_name: 'Борис Иванов',
      owner: false,
      invited: true,
    })
    expect((await call('POST', members, 'anna', { user_id: idOf('ben') })).status).toBe(200)
    expect((await call('POST', members, 'anna', { user_id: idOf('anna') })).body.owner).toBe(true)
    const listed = (await call('GET', members, 'ben')).body.members
    expect(listed.map(({ user_id, owner }: Record<string, unknown>) => [user_id, owner])).toEqual([
      [idOf('anna'), true],
      [idOf('ben'), false],
    ])
    for (const person of [{ login: 'nobody' }, { user_id: 99_999 }, { user_id: idOf('guest') }])
      expect(await call('POST', members, 'anna', person)).toEqual(refused(404, 'not_found'))
    for (const person of [{}, { login: 'ben', user_id: 1 }, { login: '' }, { user_id: 0 }])
      expect(await call('POST', members, 'anna', person)).toEqual(refused(400, 'invalid_argument'))
  })

  it('MSG-30 are limited in number (MSG-31)', async () => {
    const { tag } = (await call('POST', '/conferences', 'anna', { title: 'Crowd' })).body
    const chat = `conference:${tag}`
    const ids = Array.from({ length: MEMBERS_MAX - 1 }, (_, i) => 100_000 + i)
    const users = sql.join(ids.map(id => sql`(${id}, ${`u${id}`}, '', 'ordinary', '[]', 0)`))
    const members = sql.join(ids.map(id => sql`(${chat}, ${id}, 0)`))
    for (const statement of [
      sql`INSERT INTO users (id, login, display_name, kind, capabilities, created_at) VALUES ${users}`,
      sql`INSERT INTO conversation_members (chat_id, user_id, read_id) VALUES ${members}`,
    ])
      await server.query('main', statement)
    const add = () => call('POST', `/conferences/${tag}/members`, 'anna', { login: 'ben' })
    expect(await add()).toEqual(refused(409, 'too_many_members'))
    await server.query('main', sql`DELETE FROM conversation_members WHERE user_id = ${100_000}`)
    expect((await add()).status).toBe(200)
  })

  it('MSG-23 are not those who have blocked the owner', async () => {
    const { tag } = (await call('POST', '/conferences', 'anna', { title: 'Team' })).body
    const add = () => call('POST', `/conferences/${tag}/members`, 'anna', { login: 'cleo' })
    await setBlocked('cleo', 'anna', true)
    expect(await add()).toEqual(refused(404, 'not_found'))
    expect((await call('GET', `/conferences/${tag}/members`, 'anna')).body.members).toHaveLength(1)
    await setBlocked('cleo', 'anna', false)
    expect((await add()).status).toBe(200)
  })

  it('MSG-32 are removed by the owner, or leave; the owner stays', async () => {
    const { tag } = (await call('POST', '/conferences', 'anna', { title: 'Team' })).body
    const members = `/conferences/${tag}/members`
    for (const login of ['ben', 'cleo']) await call('POST', members, 'anna', { login })
    const remove = (person: string, by: string) => call('DELETE', `${members}/${idOf(person)}`, by)
    expect(await remove('cleo', 'ben')).toEqual(refused(403, 'permission_denied'))
    expect(await remove('anna', 'anna')).toEqual(refused(403, 'permission_denied'))
    expect((await remove('ben', 'ben')).status).toBe(200)
    expect((await remove('cleo', 'anna')).status).toBe(200)
    expect((await remove('cleo', 'anna')).status).toBe(200)
    expect((await call('GET', members, 'anna')).body.members).toHaveLength(1)
    expect(await call('GET', '/conferences/none/members', 'anna')).toEqual(
      refused(404, 'conference_not_found'),
    )
  })
})

describe('the directory of users', () => {
  const search = async (text: string, person = 'anna') =>
    (await call('GET', `/users?search=${encodeURIComponent(text)}`, person)).body.users?.map(
      ({ login }: { login: string }) => login,
    )

  it('MSG-29 finds users by the beginning of a login or of a part of a name', async () => {
    expect(await search('BE')).toEqual(['ben'])
    expect(await search('иван')).toEqual(['ben'])
    expect(await search('petr', 'ben')).toEqual(['anna'])
    expect(await search('100%', 'ben')).toEqual(['cleo'])
    for (const nobody of ['%', '_', 'en', 'anna', 'recorder'])
      expect(await search(nobody), nobody).toEqual([])
    for (const invalid of ['', ' ', 'x'.repeat(65)])
      expect(await call('GET', `/users?search=${encodeURIComponent(invalid)}`, 'anna')).toEqual(
        refused(400, 'invalid_argument'),
      )
    expect(await call('GET', '/users?search=be', 'guest')).toEqual(refused(403, 'permission_denied'))
    expect(await call('GET', '/users?search=be', '')).toEqual(refused(401, 'unauthenticated'))
    await call('PATCH', '/me', 'cleo', { display_name: 'İpek' })
    expect(await search('ipek')).toEqual(['cleo'])
  })
})
