import { afterAll, beforeAll, expect, it } from 'vitest'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
const people: Record<string, { token: string; user_id: number }> = {}
let path = ''
beforeAll(async () => {
  server = await startTestServer()
  for (const login of ['anna', 'ben', 'cleo']) {
    const { password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    people[login] = { token: body.access_token, user_id: body.user.user_id }
  }
  const made = await call('anna', 'POST', '/api/v1.0/conferences', { title: 'Round' })
  path = `/api/v1.0/conferences/${made.body.tag}/members`
})
afterAll(() => server.close())

const call = (person: string, method: string, url: string, body?: object) =>
  server.call(method, url, { token: people[person]?.token ?? '', ...(body && { body }) })
const idOf = (person: string) => people[person]?.user_id
const members = async () =>
  (await call('anna', 'GET', path)).body.members.map((each: { user_id: number }) => each.user_id)

it('members are added and removed by the owner, and leave by themselves', async () => {
  for (const login of ['ben', 'cleo'])
    expect((await call('anna', 'POST', path, { login })).body).toMatchObject({
      user_id: idOf(login),
      owner: false,
      invited: true,
    })
  expect((await members()).sort()).toEqual([idOf('anna'), idOf('ben'), idOf('cleo')].sort())
  expect((await call('anna', 'DELETE', `${path}/${idOf('ben')}`)).status).toBe(200)
  expect((await call('cleo', 'DELETE', `${path}/${idOf('cleo')}`)).status).toBe(200)
  expect(await members()).toEqual([idOf('anna')])
})

it('only the owner changes who else is a member', async () => {
  await call('anna', 'POST', path, { login: 'ben' })
  expect(await call('ben', 'POST', path, { login: 'cleo' })).toEqual(refused(403, 'permission_denied'))
  expect(await call('ben', 'DELETE', `${path}/${idOf('anna')}`)).toEqual(refused(403, 'permission_denied'))
  expect(await call('anna', 'POST', path, { login: 'nobody' })).toEqual(refused(404, 'not_found'))
  for (const id of ['0', '-1', '1.5', 'ben'])
    expect(await call('anna', 'DELETE', `${path}/${id}`), id).toEqual(refused(400, 'invalid_argument'))
})

it('MSG-30 an id finds only people with whom the owner has a conversation or a contact', async () => {
  const { id: user_id } = await server.addUser('dora')
  const unknown = await call('anna', 'POST', path, { user_id: 99_999 })
  expect(unknown).toEqual(refused(404, 'not_found'))
  expect(await call('anna', 'POST', path, { user_id })).toMatchObject({ status: 404, body: unknown.body })
  expect((await call('anna', 'POST', path, { login: 'dora' })).body).toMatchObject({ user_id })
  const other = await call('anna', 'POST', '/api/v1.0/conferences', { title: 'Another round' })
  expect(
    (await call('anna', 'POST', `/api/v1.0/conferences/${other.body.tag}/members`, { user_id })).status,
  ).toBe(200)
})

it('MSG-32 somebody who has left is not invited again, and one whom the owner has removed is', async () => {
  const add = (login: string) => call('anna', 'POST', path, { login })
  await add('ben')
  await call('anna', 'DELETE', `${path}/${idOf('ben')}`)
  expect(await add('ben')).toMatchObject({ status: 200, body: { invited: true } })
  await call('ben', 'DELETE', `${path}/${idOf('ben')}`)
  const unknown = await add('nobody')
  expect(await add('ben')).toMatchObject({ status: 404, body: unknown.body })
  await call('anna', 'DELETE', `${path}/${idOf('ben')}`) // removes nobody
  expect(await add('ben')).toMatchObject({ status: 404, body: unknown.body })
})
