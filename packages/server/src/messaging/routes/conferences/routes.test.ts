import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterParticipant } from '../../../testing/cluster-participant.ts'
import { refused } from '../../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'

let server: TestServer
const tokens: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer()
  for (const login of ['anna', 'ben']) {
    const { password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    tokens[login] = body.access_token
  }
  tokens.guest = (await server.call('POST', '/api/v1.0/auth/guest')).body.access_token
})
afterAll(() => server.close())

const call = (method: string, path: string, person?: string, body?: unknown) =>
  server.call(method as 'GET', `/api/v1.0/conferences${path}`, {
    ...(person !== undefined && { token: tokens[person] }),
    ...(body !== undefined && { body }),
  })
const make = async (title?: string) =>
  (await call('POST', '', 'anna', title === undefined ? {} : { title })).body

describe('conferences of users', () => {
  it('are created with an unguessable tag, and visible to anyone who has it', async () => {
    const made = await make('  Team  ')
    expect(made).toEqual({
      result: 200,
      tag: expect.stringMatching(/^[2-9a-z]{4}-[2-9a-z]{5}-[2-9a-z]{4}$/),
      title: 'Team',
      entry: 'open',
      starts_at: null,
      ends_at: null,
      created_at_ms: expect.any(Number),
      live: false,
      join_url: `${server.url}/conferences/${made.tag}`,
    })
    expect((await call('GET', `/${made.tag}`)).body).toEqual({
      result: 200,
      tag: made.tag,
      title: 'Team',
      starts_at: null,
      ends_at: null,
      live: false,
      entry: 'open',
    })
    const untitled = await make()
    expect(untitled.title).toBe(untitled.tag)
  })

  it('have a title that people can see, in one line, and that turns no text around it', async () => {
    expect((await make('\u202eTeam\n1')).title).toBe('Team 1')
    const invisible = await make('\u200b')
    expect(invisible.title).toBe(invisible.tag)
    const renamed = (await call('PATCH', `/${invisible.tag}`, 'anna', { title: '\u2060' })).body
    expect(renamed.title).toBe(invisible.tag)
  })

  it('are listed for their owner, newest first', async () => {
    const { tag } = await make('newest')
    const { conferences } = (await call('GET', '', 'anna')).body
    expect(conferences[0].tag).toBe(tag)
    expect((await call('GET', '', 'ben')).body.conferences).toEqual([])
  })

  it('can be renamed and removed by their owner only', async () => {
    const { tag } = await make('old')
    expect(await call('PATCH', `/${tag}`, 'ben', { title: 'x' })).toEqual(refused(403, 'permission_denied'))
    expect(await call('DELETE', `/${tag}`, 'ben')).toEqual(refused(403, 'permission_denied'))
    expect((await call('PATCH', `/${tag}`, 'anna', { title: 'new' })).body.title).toBe('new')
    for (const nothing of ['', ' ', '\u200b\u3164'])
      expect((await call('PATCH', `/${tag}`, 'anna', { title: nothing })).body.title).toBe(tag)
    expect((await call('DELETE', `/${tag}`, 'anna')).status).toBe(200)
    for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { title: 'x' }]] as const)
      expect(await call(method, `/${tag}`, 'anna', body)).toEqual(refused(404, 'conference_not_found'))
  })

  it('are not found once the account of their owner is deleted (USER-7)', async () => {
    const { id } = await server.addUser('leaver', { password: 'correct horse' })
    const signedIn = { body: { login: 'leaver', password: 'correct horse' } }
    const { access_token: token } = (await server.call('POST', '/api/v1.0/auth/login', signedIn)).body
    const { tag } = (await server.call('POST', '/api/v1.0/conferences', { token, body: {} })).body
    const find = () => server.call('GET', `/api/v1.0/conferences/${tag}`)
    expect((await find()).status).toBe(200)
    await server.operator.users.remove(id)
    expect(await find()).toEqual(refused(404, 'conference_not_found'))
    const ben = new ClusterParticipant(server, tokens.ben as string, tag)
    await expect
      .poll(() =>
        ben.client.command('conference.join', { kind: 'conference', id: tag }, {}).catch(error => error.code),
      )
      .toBe('permission_denied')
    ben.client.close()
  })

  it('end their conversation for everybody when they are removed (MSG-18)', async () => {
    const { tag } = await make('short')
    const ben = new ClusterParticipant(server, tokens.ben as string, tag)
    const removed: unknown[] = []
    ben.client.onEvent(({ name, body }) => {
      if (name === 'conversation.removed') removed.push(body.chat_id)
    })
    await ben.joined(1)
    await ben.say('hello')
    expect((await call('DELETE', `/${tag}`, 'anna')).status).toBe(200)
    await expect.poll(() => removed).toEqual([`conference:${tag}`])
    ben.client.close()
  })

  it('are open or have a lobby, as the owner chooses', async () => {
    const { body } = await call('POST', '', 'anna', { title: 'Club', entry: 'lobby' })
    expect(body.entry).toBe('lobby')
    expect((await call('GET', `/${body.tag}`)).body.entry).toBe('lobby')
    expect(await call('PATCH', `/${body.tag}`, 'ben', { entry: 'open' })).toEqual(
      refused(403, 'permission_denied'),
    )
    const changed = (await call('PATCH', `/${body.tag}`, 'anna', { entry: 'open' })).body
    expect([changed.title, changed.entry]).toEqual(['Club', 'open'])
    expect((await call('PATCH', `/${body.tag}`, 'anna', { title: 'Choir' })).body.entry).toBe('open')
    expect(await call('PATCH', `/${body.tag}`, 'anna', { entry: 'closed' })).toEqual(
      refused(400, 'invalid_argument'),
    )
  })

  it('require an account', async () => {
    expect(await call('POST', '', 'guest', {})).toEqual(refused(403, 'permission_denied'))
    expect(await call('POST', '', undefined, {})).toEqual(refused(401, 'unauthenticated'))
    expect(await call('GET', '')).toEqual(refused(401, 'unauthenticated'))
    expect(await call('POST', '', 'anna', { title: 'x'.repeat(501) })).toEqual(
      refused(400, 'invalid_argument'),
    )
    expect(await call('GET', '/nowhere')).toEqual(refused(404, 'conference_not_found'))
  })
})
