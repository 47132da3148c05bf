import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let partners = 0
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const URL = 'https://1.1.1.1/hook'
const SECRET = 'a secret of some length'
const both = ['recording.ready', 'transcription.ready']
const on = {
  result: 200,
  configured: true,
  url: URL,
  events: both,
  enabled: true,
  secret_configured: true,
  previous_secret_expires_at: null,
}

/** A service account of the same user that has no webhook yet. */
const newPartner = () => server.addPartner(`partner-${++partners}`, { user: 'school-robot' })
const put = (partner: Partner, body: unknown) => partner.call('PUT', '/webhook', { body })
const storedSecret = (name: string) => inStore('SELECT secret FROM webhook_subscriptions', name)

async function inStore(select: string, account: string): Promise<unknown> {
  const text = sql<object>`${sql.raw(select)} WHERE service_account = ${account} ORDER BY 1`
  return (await server.query('integration', text)).map(row => Object.values(row)[0])
}

describe('GET /webhook', () => {
  it('reports that none is configured', async () => {
    const { status, body } = await (await newPartner()).call('GET', '/webhook')
    expect(status).toBe(200)
    expect(body).toEqual({
      result: 200,
      configured: false,
      url: null,
      events: [],
      enabled: false,
      secret_configured: false,
      previous_secret_expires_at: null,
    })
  })
})

describe('PUT /webhook', () => {
  it('accepts url and secret for both events, and never returns the secret', async () => {
    const partner = await newPartner()
    const answer = await put(partner, { url: URL, secret: SECRET })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual(on)
    expect((await partner.call('GET', '/webhook')).body).toEqual(on)
    expect(await storedSecret(partner.account.name)).toEqual([SECRET])
  })

  it.each([[{}], [{ url: URL }], [{ secret: SECRET }], [{ enabled: true }], [{ enabled: false, url: URL }]])(
    'requires url and secret the first time: %j',
    async body => {
      const partner = await newPartner()
      expect(await put(partner, body)).toEqual(refused(400, 'invalid_argument'))
      expect((await partner.call('GET', '/webhook')).body.configured).toBe(false)
    },
  )

  it.each([
    [{}, {}],
    [{ url: 'https://8.8.8.8/x' }, { url: 'https://8.8.8.8/x' }],
    [{ secret: 'another secret, long enough' }, {}],
    [{ events: ['recording.ready'] }, { events: ['recording.ready'] }],
    [{ enabled: false }, { enabled: false }],
    [{ colour: 'red' }, {}],
  ])('changes %j and nothing else', async (change, shown) => {
    const partner = await newPartner()
    await put(partner, { url: URL, secret: SECRET })
    expect((await put(partner, change)).body).toEqual({ ...on, ...shown })
    expect(await storedSecret(partner.account.name)).toEqual([
      (change as { secret?: string }).secret ?? SECRET,
    ])
  })

  it('keeps what another request changes while an address is resolved', async () => {
    const partner = await newPartner()
    await put(partner, { url: URL, secret: SECRET })
    const url = 'https://name.that-cannot-be-resolved.invalid/hook'
    const [moved, disabled] = await Promise.all([
      put(partner, { url }),
      put(partner, { enabled: false, events: ['recording.ready'] }),
    ])
    expect([moved.status, disabled.status]).toEqual([200, 200])
    const { body } = await partner.call('GET', '/webhook')
    expect(body).toEqual({ ...on, url, enabled: false, events: ['recording.ready'] })
  })

  it('does not restore a webhook that is removed while an address is resolved', async () => {
    const partner = await newPartner()
    await put(partner, { url: URL, secret: SECRET })
    const url = 'https://name.that-cannot-be-resolved.invalid/hook'
    await Promise.all([put(partner, { url }), partner.call('DELETE', '/webhook')])
    expect((await partner.call('GET', '/webhook')).body.configured).toBe(false)
  })

  it('can be disabled and enabled with `enabled` alone', async () => {
    const partner = await newPartner()
    await put(partner, { url: URL, secret: SECRET, enabled: false })
    expect((await partner.call('GET', '/webhook')).body).toEqual({ ...on, enabled: false })
    expect((await put(partner, { enabled: true })).body).toEqual(on)
  })

  it.each([
    ['16 letters', 'x'.repeat(16)],
    ['256 letters', 'x'.repeat(256)],
    ['16 emoji', '👋'.repeat(16)],
    ['256 emoji', '👋'.repeat(256)],
  ])('accepts a secret of %s', async (_, secret) => {
    expect((await put(school, { url: URL, secret })).status).toBe(200)
    expect(await storedSecret('school')).toEqual([secret])
  })

  it.each([
    ['secret', 'x'.repeat(15)],
    ['secret', '👋'.repeat(15)],
    ['secret', 'x'.repeat(257)],
    ['secret', '👋'.repeat(257)],
    ['secret', `${'x'.repeat(20)}\0`],
    ['secret', 5],
    ['secret', null],
    ['url', null],
    ['url', 5],
    ['url', ''],
    ['url', `https://1.1.1.1/${'x'.repeat(2048)}`],
    ['events', []],
    ['events', null],
    ['events', 'recording.ready'],
    ['events', ['room.started']],
    ['events', ['recording.ready', 'room.started']],
    ['events', ['recording.ready', 'recording.ready']],
    ['events', [5]],
    ['enabled', 1],
    ['enabled', 'true'],
    ['enabled', null],
  ])('rejects the %s %j and changes nothing', async (field, value) => {
    await put(school, { url: URL, secret: SECRET, events: both, enabled: true })
    const message = expect.stringMatching(new RegExp(`^${field}.* must `))
    expect(await put(school, { url: URL, secret: SECRET, [field]: value })).toEqual(
      refused(400, 'invalid_argument', message),
    )
    expect((await school.call('GET', '/webhook')).body).toEqual(on)
  })

  it.each([[null], [[]], ['x']])('rejects the body %j', async body => {
    expect(await put(school, body)).toEqual(refused(400, 'invalid_argument'))
  })

  it('requires a body', async () => {
    expect(await school.call('PUT', '/webhook')).toEqual(refused(400, 'invalid_argument'))
  })

  it('cancels its own pending deliveries only when it is disabled (RETRY-7)', async () => {
    const [ours, theirs] = [await newPartner(), await newPartner()]
    for (const partner of [ours, theirs]) await put(partner, { url: URL, secret: SECRET })
    const insert = (id: string, { account }: Partner, subject: string, status: string) =>
      server.query(
        'integration',
        sql`INSERT INTO webhook_deliveries
         (id, service_account, event, subject, body, status, attempts, next_attempt_at_ms, created_at, updated_at)
       VALUES (${id}, ${account.name}, 'recording.ready', ${subject}, '{}', ${status}, 1, 4000000000000, 1, 1)`,
      )
    await insert('wh_1', ours, 'job-1', 'pending')
    await insert('wh_2', ours, 'job-2', 'delivered')
    await insert('wh_3', ours, 'job-3', 'failed')
    await insert('wh_4', theirs, 'job-1', 'pending')
    const deliveries = (partner: Partner) =>
      inStore("SELECT id || ' ' || status FROM webhook_deliveries", partner.account.name)

    await put(ours, { events: ['recording.ready'] })
    expect(await deliveries(ours)).toEqual(['wh_1 pending', 'wh_2 delivered', 'wh_3 failed'])
    await put(ours, { enabled: false })
    expect(await deliveries(ours)).toEqual(['wh_1 cancelled', 'wh_2 delivered', 'wh_3 failed'])
    expect(await deliveries(theirs)).toEqual(['wh_4 pending'])
    await put(ours, { enabled: true })
    expect(await deliveries(ours)).toEqual(['wh_1 cancelled', 'wh_2 delivered', 'wh_3 failed'])
  })
})
