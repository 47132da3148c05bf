import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Partner, requestToken } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const issue = (secret: string) => requestToken(server.call, 'school', secret)

describe('the client secret of a service account', () => {
  it('is replaced with an overlap, in which both are accepted', async () => {
    const { clientSecret } = await server.operator.serviceAccounts.rotate('school', 600)
    for (const secret of [school.secret, clientSecret]) expect((await issue(secret)).status).toBe(200)
    server.advance(601_000)
    expect(await issue(school.secret)).toEqual(refused(401, 'invalid_credentials'))
    expect((await issue(clientSecret)).status).toBe(200)
    await server.operator.serviceAccounts.finishRotation('school') // its clock is not put forward
    const next = await server.operator.serviceAccounts.rotate('school', 0)
    expect(await issue(clientSecret)).toEqual(refused(401, 'invalid_credentials'))
    expect((await issue(next.clientSecret)).status).toBe(200)
    await server.operator.serviceAccounts.rotate('school')
    await expect(server.operator.serviceAccounts.rotate('school')).rejects.toMatchObject({
      code: 'rotation_in_progress',
    })
    const last = await server.operator.serviceAccounts.replaceSecret('school')
    expect(await issue(next.clientSecret)).toEqual(refused(401, 'invalid_credentials'))
    expect((await issue(last)).status).toBe(200)
    school = await Partner.open(server.call, school.account, last)
  })

  it('ends with the account, and so do its tokens, its webhook and its endpoints', async () => {
    const { token } = school
    const endpoint = { body: { url: 'http://127.0.0.1:9/' }, token }
    expect((await server.call('POST', '/api/v2/integration/endpoints', endpoint)).status).toBe(200)
    await server.operator.serviceAccounts.remove('school')
    const status = async () => (await server.call('GET', '/api/v2/integration/endpoints', { token })).status
    await expect.poll(status).toBe(401)
    await expect(server.operator.serviceAccounts.remove('school')).rejects.toThrow(
      'There is no service account',
    )
    const again = await server.addPartner('school', { user: 'school-robot' })
    const left = await server.call('GET', '/api/v2/integration/endpoints', { token: again.token })
    expect(left.body.endpoints).toEqual([])
  })

  it('leaves nothing to an account that gets its name and its technical user (TOKEN-4)', async () => {
    const before = await server.addPartner('clinic')
    const say = (partner: Partner, display_name: string) =>
      server.call('POST', '/api/v2/integration/rooms/lesson/messages', {
        token: partner.token,
        headers: { 'idempotency-key': 'key-1' },
        body: { display_name, text: 'Hello' },
      })
    await say(before, 'Anna')
    await server.operator.serviceAccounts.remove('clinic')
    const again = await server.addPartner('clinic', { user: 'clinic-robot' })
    expect(again.account.clientId).toBe(before.account.clientId)
    expect(await before.call('GET', '/server_info')).toEqual(refused(401, 'unauthenticated'))
    expect((await again.call('GET', '/server_info')).status).toBe(200)
    expect(await say(again, 'Boris')).toEqual(refused(404, 'room_not_found')) // the key is a new one
  })
})
