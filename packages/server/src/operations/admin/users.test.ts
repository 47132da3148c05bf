import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterLink } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let boss: string
let bossId: number
const password = 'correct horse'
const signIn = (login: string, secret = password) =>
  server.call('POST', '/api/v1.0/auth/login', { body: { login, password: secret } })
beforeAll(async () => {
  server = await startTestServer()
  bossId = (await server.addUser('boss', { password, capabilities: ['admin'] })).id
  boss = (await signIn('boss')).body.access_token
})
afterAll(() => server.close())

const api = (method: string, path: string, body?: Record<string, unknown>, token = boss) =>
  server.call(method, `/api/v1.0/admin${path}`, { token, ...(body && { body }) })
const me = (token: string) => server.call('GET', '/api/v1.0/me', { token })

describe('users of the administration API', () => {
  it('creates an account with a given or a generated password (ADMIN-4)', async () => {
    const body = {
      login: 'Anna',
      display_name: ' Anna Ärmel ',
      capabilities: ['recordings.access'],
      password,
    }
    const { status, body: anna } = await api('POST', '/users', body)
    expect(status).toBe(200)
    expect(anna).toEqual({
      result: 200,
      user_id: expect.any(Number),
      login: 'anna',
      display_name: 'Anna Ärmel',
      kind: 'ordinary',
      state: 'active',
      capabilities: ['recordings.access'],
      has_password: true,
      has_own_login: true,
      email: null,
      created_at: expect.any(Number),
      password: null,
      invitation_url: null,
    })
    expect((await signIn('anna')).status).toBe(200)
    const generated = await api('POST', '/users', { login: 'robot', kind: 'technical' })
    expect((await signIn('robot', generated.body.password)).status).toBe(200)
    expect(await api('POST', '/users', { login: 'anna' })).toEqual(refused(409, 'login_taken'))
    for (const wrong of [
      {},
      { login: 'two words' },
      { login: 'x', password: 'short' },
      { login: 'x', kind: 'guest' },
      { login: 'x', capabilities: ['fly'] },
      { login: 'x', display_name: 'x'.repeat(129) },
    ])
      expect(await api('POST', '/users', wrong), JSON.stringify(wrong)).toEqual(
        refused(400, 'invalid_argument'),
      )
  })

  it('invites a person, who sets the password with the link; a new link replaces it', async () => {
    const { status, body: nina } = await api('POST', '/users', { login: 'nina', invite: true })
    expect([status, nina.password, nina.has_password]).toEqual([200, null, false])
    const { body: again } = await api('POST', `/users/${nina.user_id}/invitation`)
    const redeem = (url: string) =>
      server.call('POST', `/api/v1.0/invitations/${url.split('/').at(-1)}`, { body: { password } })
    expect((await redeem(nina.invitation_url)).status).not.toBe(200)
    expect((await redeem(again.invitation_url)).status).toBe(200)
    expect((await signIn('nina')).status).toBe(200)
    expect(await api('POST', '/users', { login: 'nina', invite: true })).toEqual(refused(409, 'login_taken'))
    for (const wrong of [{ kind: 'technical' }, { password }])
      expect(await api('POST', '/users', { login: 'omar', invite: true, ...wrong })).toEqual(
        refused(400, 'invalid_argument'),
      )
    const { body: mailed } = await api('PATCH', `/users/${nina.user_id}`, { email: 'Nina@Home.example' })
    expect(mailed.email).toBe('nina@home.example')
    expect(await api('PATCH', `/users/${nina.user_id}`, { email: 'nina' })).toEqual(
      refused(400, 'invalid_argument'),
    )
    const rows = JSON.stringify((await api('GET', '/audit?search=nina')).body.records)
    expect(rows).toContain('user.invite')
    expect(rows.toLowerCase()).not.toContain('nina@home')
    expect(rows).not.toContain(again.invitation_url.split('/').at(-1))
  })

  it('changes names, capabilities and passwords; a new password ends the sign-ins', async () => {
    const { id } = await server.addUser('ben', { password })
    const ben = (await signIn('ben')).body.access_token
    const changes = { display_name: 'Ben B.', capabilities: ['recordings.access'] }
    expect((await api('PATCH', `/users/${id}`, changes)).body).toMatchObject({ ...changes, sign_ins: 1 })
    expect((await me(ben)).body).toMatchObject(changes)
    expect((await api('PATCH', `/users/${id}`, { password: 'another secret' })).body.sign_ins).toBe(0)
    expect(await me(ben)).toEqual(refused(401, 'session_ended'))
    expect((await signIn('ben', 'another secret')).status).toBe(200)
    for (const wrong of [
      {},
      { display_name: ' \u200b' },
      { password: 'short' },
      { disabled: 'yes' },
      { email: 'ben', password },
    ])
      expect(await api('PATCH', `/users/${id}`, wrong)).toEqual(refused(400, 'invalid_argument'))
    expect((await signIn('ben', 'another secret')).status).toBe(200) // nothing was changed in part
    for (const method of ['GET', 'DELETE'])
      expect(await api(method, '/users/987654')).toEqual(refused(404, 'user_not_found'))
  })

  it('ends the sign-ins of a user', async () => {
    const { id } = await server.addUser('carla', { password })
    const tokens = [(await signIn('carla')).body.access_token, (await signIn('carla')).body.access_token]
    expect((await api('GET', `/users/${id}`)).body.sign_ins).toBe(2)
    expect((await api('DELETE', `/users/${id}/sign-ins`)).status).toBe(200)
    for (const token of tokens) expect(await me(token)).toEqual(refused(401, 'session_ended'))
  })

  it('ADMIN-3 disables an account at once, and enables it again', async () => {
    const { id } = await server.addUser('dora', { password })
    const dora = (await signIn('dora')).body
    expect((await api('PATCH', `/users/${id}`, { disabled: true })).body).toMatchObject({ state: 'disabled' })
    expect(await me(dora.access_token)).toEqual(refused(401, 'session_ended'))
    const refresh = { body: { refresh_token: dora.refresh_token } }
    expect(await server.call('POST', '/api/v1.0/auth/refresh', refresh)).toEqual(
      refused(401, 'session_ended'),
    )
    expect(await signIn('dora')).toEqual(refused(403, 'account_disabled'))
    expect(await signIn('dora', 'wrong password')).toEqual(refused(401, 'invalid_credentials'))
    await api('PATCH', `/users/${id}`, { disabled: false })
    expect((await signIn('dora')).status).toBe(200)
    expect(await me(dora.access_token)).toEqual(refused(401, 'session_ended'))
  })

  it('ADMIN-3 disables the service accounts and the personal links of an account', async () => {
    const school = await server.addPartner('school')
    const room = await school.room('lesson', { student: { display_name: 'Mia', external_id: 'mia' } })
    const mia = (await enterLink(server.call, room.student_join_url)).body
    const { user_id } = (await me(mia.access_token)).body
    await api('PATCH', `/users/${user_id}`, { disabled: true })
    expect(await me(mia.access_token)).toEqual(refused(401, 'session_ended'))
    expect(await enterLink(server.call, room.student_join_url)).toEqual(refused(403, 'account_disabled'))
    const robot = (await api('GET', '/users?search=school-robot')).body.users[0].user_id
    await api('PATCH', `/users/${robot}`, { disabled: true })
    const info = () => server.call('GET', '/api/v1/integration/server_info', { token: school.token })
    await expect.poll(async () => (await info()).status).toBe(401) // a token is cached for a moment
  })

  it('leaves people of partners and guests to their links: no invitation, password or mail address', async () => {
    const school = await server.addPartner('school-of-mia')
    const room = await school.room('lesson', { student: { display_name: 'Mia', external_id: 'mia' } })
    const mia = (await enterLink(server.call, room.student_join_url)).body
    const guest = (await server.call('POST', '/api/v1.0/auth/guest', { body: {} })).body
    for (const { access_token } of [mia, guest]) {
      const path = `/users/${(await me(access_token)).body.user_id}`
      expect((await api('GET', path)).body.has_own_login).toBe(false)
      for (const change of [{ password }, { email: 'mia@home.example' }])
        expect(await api('PATCH', path, change)).toEqual(refused(400, 'invalid_argument'))
      expect(await api('POST', `${path}/invitation`)).toEqual(refused(400, 'invalid_argument'))
      expect((await api('PATCH', path, { display_name: 'Mia M.', email: '' })).body.has_password).toBe(false)
    }
    expect((await api('GET', `/users/${bossId}`)).body.has_own_login).toBe(true)
  })

  it('deletes an account, whose login stays reserved', async () => {
    const { id } = await server.addUser('eva', { password })
    const eva = (await signIn('eva')).body.access_token
    expect((await api('DELETE', `/users/${id}`)).status).toBe(200)
    expect(await me(eva)).toEqual(refused(401, 'account_deleted'))
    expect((await api('GET', `/users/${id}`)).body).toMatchObject({ state: 'deleted' })
    expect(await api('PATCH', `/users/${id}`, { display_name: 'X' })).toEqual(refused(404, 'user_not_found'))
    expect(await api('POST', '/users', { login: 'eva' })).toEqual(refused(409, 'login_taken'))
  })

  it('ADMIN-2 keeps the last administrator, also if two remove each other', async () => {
    const lastOnes = [
      api('PATCH', `/users/${bossId}`, { capabilities: [] }),
      api('PATCH', `/users/${bossId}`, { disabled: true }),
      api('DELETE', `/users/${bossId}`),
    ]
    expect(await Promise.all(lastOnes)).toEqual(Array(3).fill(refused(409, 'last_administrator')))
    const { id } = await server.addUser('chief', { password, capabilities: ['admin'] })
    const chief = (await signIn('chief')).body.access_token
    await api('PATCH', `/users/${id}`, { disabled: true })
    expect(await api('PATCH', `/users/${bossId}`, { capabilities: [] })).toEqual(
      refused(409, 'last_administrator'),
    )
    await api('PATCH', `/users/${id}`, { disabled: false })
    const again = (await signIn('chief')).body.access_token
    expect((await api('GET', '/users', undefined, chief)).status).toBe(401)
    const answers = await Promise.all([
      api('PATCH', `/users/${id}`, { capabilities: [] }),
      api('PATCH', `/users/${bossId}`, { capabilities: [] }, again),
    ])
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const left = await server.operator.users.list()
    expect(left.filter(({ capabilities }) => capabilities.includes('admin'))).toHaveLength(1)
    await server.operator.users.set('boss', { capabilities: ['admin'] })
  })

  it('lists 10,000 accounts in pages, and searches them', async () => {
    const db = new Database(server.config.Db.Url)
    const insert = db.prepare(
      `INSERT INTO users (login, display_name, kind, capabilities, created_at) VALUES (?, ?, 'ordinary', '[]', 1)`,
    )
    db.exec('BEGIN')
    for (let i = 0; i < 10_000; i++) insert.run(`many-${i}`, `Пользователь ${i}`)
    db.exec('COMMIT')
    db.close()
    const search = encodeURIComponent('ПОЛЬЗОВАТЕЛЬ 77')
    const page = (await api('GET', `/users?search=${search}&limit=200`)).body
    expect([page.users.length, page.next]).toEqual([111, null])
    const ids = new Set<number>()
    for (let next: string | null = ''; next !== null; ) {
      const { body } = await api('GET', `/users?limit=200${next && `&before=${next}`}`)
      for (const { user_id } of body.users) ids.add(user_id)
      next = body.next
    }
    expect(ids.size).toBeGreaterThan(10_000)
  })
})
