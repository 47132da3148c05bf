import { verifyWebhook } from '@lectern/partner'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, status } from '../../platform/delivery/testing/receiver.ts'
import type { Answer } from '../../testing/http.ts'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const SECRET = 'a secret of some length'
const NEXT = 'another secret of some length'

let server: TestServer
let receiver: Receiver
let partners = 0
beforeAll(async () => {
  server = await startTestServer({
    Integration: { AllowInsecureWebhooks: '1' },
    Limits: { Enabled: '0' },
  })
  receiver = await startReceiver()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})
afterEach(() => {
  receiver.answer = status(204)
  receiver.received.length = 0
})

const newPartner = () => server.addPartner(`partner-${++partners}`)
const withWebhook = async (): Promise<Partner> => {
  const partner = await newPartner()
  await partner.call('PUT', '/webhook', { body: { url: receiver.url, secret: SECRET } })
  return partner
}
const test = async (partner: Partner): Promise<string> =>
  (await partner.call('POST', '/webhook/test')).body.id
const details = async (partner: Partner, id: string) =>
  (await partner.call('GET', `/webhook/deliveries/${id}`)).body
const settled = (partner: Partner, id: string, state: string) =>
  expect.poll(async () => (await details(partner, id)).status, { interval: 200 }).toBe(state)
const attempted = (partner: Partner, id: string, number: number) =>
  expect.poll(async () => (await details(partner, id)).history.length, { interval: 200 }).toBe(number)

describe('POST /webhook/test', () => {
  it('sends a signed test event, and shows attempts and responses', async () => {
    const school = await withWebhook()
    const answer = await school.call('POST', '/webhook/test')
    expect(answer.status).toBe(200)
    const { id } = answer.body
    expect(answer.body).toMatchObject({ event: 'webhook.test', status: 'pending', attempts: 0 })
    await settled(school, id, 'delivered')
    const [received] = receiver.received
    const event = verifyWebhook({
      rawBody: received?.body ?? '',
      headers: received?.headers ?? {},
      secret: SECRET,
    })
    expect(event).toEqual({
      id,
      type: 'webhook.test',
      created_at: expect.stringMatching(/Z$/),
      data: { service_account: school.account.name },
    })
    expect(received?.headers['x-service-signatures']).toBeUndefined()
    expect(await details(school, id)).toMatchObject({
      id,
      event: 'webhook.test',
      attempts: 1,
      response_status: 204,
      next_attempt_at_ms: null,
      error: null,
      history: [{ response_status: 204, error: null, duration_ms: expect.any(Number), excerpt: null }],
      payload: event,
    })
  })

  it('is sent whatever events are subscribed, and not without an enabled webhook', async () => {
    const school = await newPartner()
    expect(await school.call('POST', '/webhook/test')).toEqual(refused(409, 'webhook_not_configured'))
    await school.call('PUT', '/webhook', {
      body: { url: receiver.url, secret: SECRET, events: ['transcription.ready'], enabled: false },
    })
    expect(await school.call('POST', '/webhook/test')).toEqual(refused(409, 'webhook_disabled'))
    await school.call('PUT', '/webhook', { body: { enabled: true } })
    await settled(school, await test(school), 'delivered')
  })

  it('shares a rate limit per account with the other operations on deliveries', async () => {
    const limited = await startTestServer({
      Integration: { AllowInsecureWebhooks: '1' },
      Limits: { Enabled: '1' },
    })
    try {
      const add = async (name: string) => {
        const partner = await limited.addPartner(name)
        await partner.call('PUT', '/webhook', { body: { url: receiver.url, secret: SECRET } })
        return partner
      }
      const [school, clinic] = [await add('school'), await add('clinic')]
      let last: Answer | undefined
      for (let i = 0; i < 100 && last?.status !== 429; i++) last = await school.call('POST', '/webhook/test')
      expect(last).toEqual(refused(429, 'rate_limited'))
      expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
      last = await clinic.call('POST', '/webhook/test')
      expect(last?.status).toBe(200)
      expect((await school.call('GET', '/webhook')).status).toBe(200)
      expect((await school.call('GET', '/rooms/none')).status).toBe(404)
    } finally {
      await limited.close()
    }
  })
})

describe('own deliveries', () => {
  it('show a failure with the response of the receiver, and are sent again on request', async () => {
    receiver.answer = response => response.writeHead(400).end('no such lesson')
    const school = await withWebhook()
    const id = await test(school)
    await settled(school, id, 'failed')
    expect(await details(school, id)).toMatchObject({
      error: 'HTTP 400',
      history: [{ response_status: 400, error: 'HTTP 400', excerpt: 'no such lesson' }],
    })
    receiver.answer = status(200)
    const answer = await school.call('POST', `/webhook/deliveries/${id}/replay`)
    expect(answer.body).toMatchObject({ result: 200, id, status: 'pending', attempts: 0 })
    await settled(school, id, 'delivered')
    expect((await details(school, id)).history).toMatchObject([
      { response_status: 200 },
      { response_status: 400 },
    ])
    const bodies = new Set(receiver.received.map(({ body }) => body))
    expect([receiver.received.length, bodies.size]).toEqual([2, 1])
  })

  it('are listed in pages, newest first, by status', async () => {
    const school = await withWebhook()
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push(await test(school))
    for (const id of ids) await settled(school, id, 'delivered')
    const list = async (query: string) => (await school.call('GET', `/webhook/deliveries${query}`)).body
    const first = await list('?limit=2')
    expect(first.deliveries).toHaveLength(2)
    expect(first.deliveries[0]).not.toHaveProperty('payload')
    const rest = await list(`?limit=2&before=${first.next}`)
    expect(rest.next).toBeNull()
    const listed = [...first.deliveries, ...rest.deliveries].map(({ id }: { id: string }) => id)
    expect(listed.sort()).toEqual([...ids].sort())
    expect((await list('?status=failed')).deliveries).toEqual([])
    expect((await list('?status=delivered')).deliveries).toHaveLength(3)
    for (const query of ['?before=1', '?limit=999', '?status=x', '?before=1.'])
      expect(await school.call('GET', `/webhook/deliveries${query}`), query).toEqual(
        refused(400, 'invalid_argument'),
      )
  })

  it('of other accounts do not exist, also with the same technical user', async () => {
    const school = await withWebhook()
    const id = await test(school)
    const name = school.account.name
    const sister = await server.addPartner(`${name}-sister`, { user: `${name}-robot` })
    for (const other of [sister, await withWebhook()]) {
      for (const [method, path] of [
        ['GET', `/webhook/deliveries/${id}`],
        ['POST', `/webhook/deliveries/${id}/replay`],
      ] as const)
        expect(await other.call(method, path)).toEqual(refused(404, 'delivery_not_found'))
      expect((await other.call('GET', '/webhook/deliveries')).body.deliveries).toEqual([])
    }
    expect(await school.call('GET', '/webhook/deliveries/wh_none')).toEqual(
      refused(404, 'delivery_not_found'),
    )
    const path = `/api/v1/integration/webhook/deliveries/${id}`
    expect(await server.call('GET', path)).toEqual(refused(401, 'unauthenticated'))
    const blobs = await server.addPartner(`${name}-blobs`, { scopes: ['blob'] })
    expect(await blobs.call('GET', '/webhook/deliveries')).toEqual(refused(403, 'permission_denied'))
  })
})

describe('EVENT-9 a disabled technical user', () => {
  it('gets no events: deliveries are cancelled, and are not repeated until it is enabled', async () => {
    const school = await withWebhook()
    const id = await test(school)
    await settled(school, id, 'delivered')
    const { webhooks, users } = server.operator
    const robot = `${school.account.name}-robot`
    await users.set(robot, { disabled: true })
    await expect(webhooks.replay(id)).rejects.toThrow('is disabled')
    await users.set(robot, { disabled: false })
    receiver.answer = status(503)
    await webhooks.replay(id)
    await attempted(school, id, 2)
    await users.set(robot, { disabled: true })
    // The account's own requests are refused now; the operator's list has deliveries of other tests, too.
    const state = async () =>
      (await webhooks.deliveries({ limit: 100 })).deliveries.find(delivery => delivery.id === id)?.status
    expect(await state()).toBe('pending')
    server.advance(10_000) // the delay of the first repetition
    await expect.poll(state).toBe('cancelled')
    // Also of earlier tests something may be repeated.
    expect(receiver.received.filter(({ body }) => JSON.parse(body).id === id)).toHaveLength(2)
  })
})

describe('DELETE /webhook', () => {
  it('removes the settings, cancels pending deliveries, and may be repeated', async () => {
    receiver.answer = status(503)
    const school = await withWebhook()
    const id = await test(school)
    await attempted(school, id, 1)
    const none = {
      result: 200,
      configured: false,
      url: null,
      events: [],
      enabled: false,
      secret_configured: false,
      previous_secret_expires_at: null,
    }
    for (let i = 0; i < 2; i++) {
      const { status, body } = await school.call('DELETE', '/webhook')
      expect([status, body]).toEqual([200, none])
    }
    expect((await school.call('GET', '/webhook')).body).toEqual(none)
    expect(await details(school, id)).toMatchObject({ status: 'cancelled', next_attempt_at_ms: null })
    expect(await school.call('POST', `/webhook/deliveries/${id}/replay`)).toEqual(
      refused(409, 'delivery_not_replayable'),
    )
    // A new webhook needs everything again, and gets nothing that was cancelled.
    expect(await school.call('PUT', '/webhook', { body: { url: receiver.url } })).toEqual(
      refused(400, 'invalid_argument'),
    )
    receiver.answer = status(204)
    await school.call('PUT', '/webhook', { body: { url: receiver.url, secret: SECRET } })
    await settled(school, await test(school), 'delivered')
    expect((await details(school, id)).status).toBe('cancelled')
  })
})

describe('POST /webhook/rotate', () => {
  const rotate = (partner: Partner, body: object) => partner.call('POST', '/webhook/rotate', { body })
  /** The secrets for which the next delivery is genuine: for receivers of both headers, and for those of the first only. */
  async function accepted(partner: Partner) {
    receiver.received.length = 0
    await settled(partner, await test(partner), 'delivered')
    const { body = '', headers = {} } = receiver.received[0] ?? {}
    const { 'x-service-signatures': _, ...single } = headers
    const isGenuine = (known: typeof headers, secret: string) => {
      try {
        return Boolean(verifyWebhook({ rawBody: body, headers: known, secret }))
      } catch {
        return false
      }
    }
    const genuineIn = (known: typeof headers) => [SECRET, NEXT].filter(secret => isGenuine(known, secret))
    return { all: genuineIn(headers), single: genuineIn(single) }
  }

  it('SECRET-1 SECRET-2 signs with both secrets until the overlap is ended (SIGNATURE-5)', async () => {
    const school = await withWebhook()
    expect(await accepted(school)).toEqual({ all: [SECRET], single: [SECRET] })
    const before = Math.floor(Date.now() / 1000)
    const { body } = await rotate(school, { secret: NEXT, overlap_seconds: 3600 })
    expect(body.previous_secret_expires_at - before).toBeGreaterThanOrEqual(3600)
    expect(body.previous_secret_expires_at - before).toBeLessThan(3700)
    expect(JSON.stringify(body)).not.toContain(NEXT)
    expect(await accepted(school)).toEqual({ all: [SECRET, NEXT], single: [SECRET] })
    // Other settings do not end it.
    await school.call('PUT', '/webhook', { body: { events: ['recording.ready'] } })
    expect(await accepted(school)).toEqual({ all: [SECRET, NEXT], single: [SECRET] })
    for (let i = 0; i < 2; i++)
      expect((await school.call('POST', '/webhook/rotate/finish')).body).toMatchObject({
        configured: true,
        previous_secret_expires_at: null,
      })
    expect(await accepted(school)).toEqual({ all: [NEXT], single: [NEXT] })
  })

  it('SECRET-3 may be repeated; another rotation waits for the end of the first', async () => {
    const school = await withWebhook()
    const first = await rotate(school, { secret: NEXT })
    expect(await rotate(school, { secret: NEXT, overlap_seconds: 60 })).toMatchObject({
      status: 200,
      body: first.body,
    })
    expect(await rotate(school, { secret: 'a third secret of some length' })).toEqual(
      refused(409, 'rotation_in_progress'),
    )
    expect(await rotate(school, { secret: SECRET })).toEqual(refused(409, 'rotation_in_progress'))
    await school.call('POST', '/webhook/rotate/finish')
    expect((await rotate(school, { secret: SECRET })).status).toBe(200)
  })

  it('SECRET-4 a secret that is set with PUT replaces all at once', async () => {
    const school = await withWebhook()
    await rotate(school, { secret: 'a third secret of some length' })
    const { body } = await school.call('PUT', '/webhook', { body: { secret: NEXT } })
    expect(body.previous_secret_expires_at).toBeNull()
    expect(await accepted(school)).toEqual({ all: [NEXT], single: [NEXT] })
  })

  it('refuses invalid values, and accounts without a webhook', async () => {
    const school = await withWebhook()
    for (const body of [
      {},
      { secret: 'too short' },
      { secret: 'x'.repeat(257) },
      { secret: NEXT, overlap_seconds: 59 },
      { secret: NEXT, overlap_seconds: 604_801 },
      { secret: NEXT, overlap_seconds: 60.5 },
      { secret: NEXT, overlap_seconds: '60' },
    ])
      expect(await rotate(school, body), JSON.stringify(body)).toEqual(refused(400, 'invalid_argument'))
    const none = await newPartner()
    expect(await rotate(none, { secret: NEXT })).toEqual(refused(409, 'webhook_not_configured'))
    expect(await none.call('POST', '/webhook/rotate/finish')).toEqual(refused(409, 'webhook_not_configured'))
  })
})
