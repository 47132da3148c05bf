import { generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { refused } from '../../testing/refused.ts'
import type { TestServer } from '../../testing/server.ts'
import { PAGE_SCRIPT } from './pages/script.ts'
import { openLti, type TestLti } from './testing/lti.ts'
import type { Claims } from './testing/platform.ts'

let server: TestServer
let lti: TestLti
beforeAll(async () => {
  lti = await openLti()
  server = lti.server
  await lti.register()
})
afterAll(() => lti.close())
beforeEach(() => lti.platform.launchAs({ sub: 'u1', name: 'Anna', role: 'Instructor' }))

describe('a launch', () => {
  it('opens the room of the link with the role and the name of the person', async () => {
    const teacher = await lti.launch()
    lti.platform.launchAs({ sub: 'u2', name: 'Ben', role: 'Learner' })
    const student = await lti.launch()
    const opened = await Promise.all([teacher, student].map(({ location }) => lti.resolve(location)))
    expect(opened).toMatchObject([
      { title: 'Algebra', role: 'teacher', display_name: 'Anna', participant_auth: true },
      { title: 'Algebra', role: 'student', display_name: 'Ben', participant_auth: true },
    ])
    expect(opened[0]?.tag).toBe(opened[1]?.tag)
    lti.platform.launchAs(
      { sub: 'u2', name: 'Ben', role: 'Learner' },
      { 'https://purl.imsglobal.org/spec/lti/claim/resource_link': { id: 'link-2' } },
    )
    expect((await lti.resolve((await lti.launch()).location)).tag).not.toBe(opened[0]?.tag)
  })

  it('takes nobody the name, if it has none', async () => {
    const link = { 'https://purl.imsglobal.org/spec/lti/claim/resource_link': { id: 'link-3' } }
    for (const name of ['Ben', '', ' \u200b']) {
      lti.platform.launchAs({ sub: 'u2', name, role: 'Learner' }, link)
      expect(await lti.resolve((await lti.launch()).location)).toMatchObject({ display_name: 'Ben' })
    }
  })

  it('is finished once, and only with what the browser stored that began it (LTI-1)', async () => {
    const { page, data } = await lti.begin()
    const answer = await lti.answer(data)
    expect(answer.status).toBe(200)
    expect(await lti.answer(data)).toMatchObject({ status: 401 })
    expect(await lti.enter({ ...data, binding: 'guessed' })).toEqual(refused(401, 'link_invalid'))
    expect((await lti.enter(data)).status).toBe(200)
    expect(await lti.enter(data)).toEqual(refused(401, 'link_invalid'))
    expect(page.headers['set-cookie']).toBeUndefined()
  })

  it('is refused if the id token is not the one of the platform for this launch (LTI-2)', async () => {
    const { privateKey: key } = await generateKeyPair('RS256')
    const attempts: Claims[] = [
      { nonce: 'another' },
      { key },
      { 'https://purl.imsglobal.org/spec/lti/claim/version': '1.1' },
      { azp: 'another-client' },
    ]
    for (const changes of attempts) {
      const { data, nonce } = await lti.begin()
      const token = await lti.platform.sign(nonce, changes)
      expect((await lti.answer(data, token)).status, JSON.stringify(changes)).toBe(401)
    }
    const { data } = await lti.begin()
    expect((await lti.answer(data, 'none')).status).toBe(401)
    expect((await server.call('GET', '/lti/login?iss=https://other.example&login_hint=1')).status).toBe(401)
    // PostgreSQL would not even look for it.
    expect((await server.call('GET', '/lti/login?iss=%00&login_hint=1')).status).toBe(400)
  })

  it('is refused while the platform does not give the key of the id token', async () => {
    await lti.launch()
    const { data, nonce } = await lti.begin()
    const token = await lti.platform.sign(nonce, { kid: 'newer' })
    lti.platform.setHasKeys(false)
    server.advance(11_000)
    expect((await lti.answer(data, token)).status).toBe(401)
    server.advance(-11_000)
    lti.platform.setHasKeys(true)
  })

  it('is refused while the service account of the platform is disabled', async () => {
    const { data } = await lti.begin()
    await lti.answer(data)
    await server.operator.serviceAccounts.set('school', { enabled: false })
    expect(await lti.enter(data)).toEqual(refused(401, 'link_invalid'))
    const start = `/lti/login?${lti.platform.loginQuery()}`
    expect((await server.call('GET', start)).status).toBe(401)
    await server.operator.serviceAccounts.set('school', { enabled: true })
    expect((await server.call('GET', start)).status).toBe(200)
  })

  it('expires after ten minutes (LTI-1)', async () => {
    const { data, nonce } = await lti.begin()
    const token = await lti.platform.sign(nonce)
    server.advance(601_000)
    expect((await lti.answer(data, token)).status).toBe(401)
    const stored = async () => await server.query('main', sql`SELECT * FROM lti_logins`)
    await vi.waitFor(async () => expect(await stored()).toEqual([]), { timeout: 10_000 })
    server.advance(-601_000)
  })

  it('keeps secrets out of the database and the log (LTI-1)', async () => {
    const { data } = await lti.begin()
    const stored = JSON.stringify(await server.query('main', sql`SELECT * FROM lti_logins`))
    for (const secret of [data.state, data.binding]) {
      expect(stored).not.toContain(secret)
      expect(server.log()).not.toContain(secret)
    }
  })

  it('shows its page only in the platform and in pages that may embed the room', async () => {
    const { page } = await lti.begin()
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain(`frame-ancestors 'self' https://school.example ${lti.platform.url}`)
    expect(page.body).toContain(PAGE_SCRIPT)
  })
})

describe('a registration', () => {
  const statusOf = async (token: string) => (await lti.registerWith(token)).status

  it('needs a link that the operator made, which serves one platform (LTI-3)', async () => {
    expect((await lti.registerWith('unknown')).status).toBe(401)
    const { token } = await server.operator.lti.invite('school')
    // The link is not used up by what the platform has refused.
    lti.platform.refuseTools(true)
    expect((await lti.registerWith(token)).status).toBe(400)
    lti.platform.refuseTools(false)
    expect(await Promise.all([statusOf(token), statusOf(token)]).then(each => each.sort())).toEqual([
      200, 401,
    ])
    expect(await statusOf(token)).toBe(401)
    expect(await server.operator.lti.list()).toHaveLength(1)
  })

  it('does not take a platform from another account', async () => {
    await server.addPartner('other')
    const { token } = await server.operator.lti.invite('other')
    expect((await lti.registerWith(token)).status).toBe(400)
    expect(await server.operator.lti.list()).toHaveLength(1)
  })

  it('tells the platform the addresses of this server', () => {
    expect(lti.platform.configuration()).toMatchObject({
      initiate_login_uri: `${lti.url}/lti/login`,
      redirect_uris: [`${lti.url}/lti/launch`],
      jwks_uri: `${lti.url}/lti/jwks`,
      token_endpoint_auth_method: 'private_key_jwt',
    })
  })
})

describe('deep linking', () => {
  const settings = {
    'https://purl.imsglobal.org/spec/lti/claim/message_type': 'LtiDeepLinkingRequest',
    'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': {
      deep_link_return_url: 'https://school.example/return',
      data: 'opaque',
    },
  }

  it('returns a lesson with the title that the teacher chose', async () => {
    lti.platform.launchAs({ sub: 'u1', name: 'Anna', role: 'Instructor' }, settings)
    const { data } = await lti.begin()
    await lti.answer(data)
    const { body } = await lti.enter(data, 'Geometry')
    expect(body.action).toBe('https://school.example/return')
    expect(await lti.verifyOfTool(body.fields.JWT)).toMatchObject({
      aud: lti.platform.url,
      'https://purl.imsglobal.org/spec/lti/claim/message_type': 'LtiDeepLinkingResponse',
      'https://purl.imsglobal.org/spec/lti-dl/claim/data': 'opaque',
      'https://purl.imsglobal.org/spec/lti-dl/claim/content_items': [
        { type: 'ltiResourceLink', title: 'Geometry', lineItem: { scoreMaximum: 100 } },
      ],
    })
  })

  it('is for teachers', async () => {
    lti.platform.launchAs({ sub: 'u2', name: 'Ben', role: 'Learner' }, settings)
    const { data } = await lti.begin()
    await lti.answer(data)
    expect(await lti.enter(data, 'Geometry')).toEqual(refused(403, 'permission_denied'))
  })
})
