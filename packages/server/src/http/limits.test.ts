import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../platform/config/index.ts'
import type { Call } from '../testing/http.ts'
import { refused } from '../testing/refused.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { routeLimits } from './limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    Server: { TrustProxy: 'loopback' },
    Limits: {
      Enabled: '1',
      LoginPerMinute: '2',
      RefreshPerMinute: '2',
      GuestPerMinute: '2',
      TokenPerMinute: '2',
      LinkPerMinute: '2',
    },
  })
})
afterAll(() => server.close())

const GROUPS = [
  ['login', [['POST', '/api/v1.0/auth/login']]],
  [
    'refresh',
    [
      ['POST', '/api/v1.0/auth/refresh'],
      ['POST', '/api/v1.0/auth/logout'],
    ],
  ],
  ['guest', [['POST', '/api/v1.0/auth/guest']]],
  ['token', [['POST', '/api/v1/integration/auth/token']]],
  [
    'link',
    [
      ['GET', '/api/v1/integration/join/x'],
      ['POST', '/api/v1/integration/join/x'],
      ['GET', '/api/v1.0/conferences/x'],
    ],
  ],
] as const

let addresses = 0
/** Sends with this client address, through a proxy on this machine. */
const from = (address: string): Call => ({ headers: { 'x-forwarded-for': address } })
const newAddress = () => from(`203.0.113.${++addresses}`)
const statuses = async (address: Call, count: number, method = 'GET', path = '/api/v1.0/conferences/x') => {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await server.call(method, path, address)).status)
  return seen
}

describe.each(GROUPS)('the rate of %s', (_, routes) => {
  it('is shared by all its routes and refuses with Retry-After', async () => {
    const address = newAddress()
    const send = (i: number) => {
      const [method, path] = routes[i % routes.length] as readonly [string, string]
      return server.call(method, path, address)
    }
    for (const i of [0, 1]) expect((await send(i)).status).not.toBe(429)
    for (const i of routes.keys()) {
      const answer = await send(i)
      expect(answer).toEqual(
        refused(429, 'rate_limited', expect.stringMatching(/^Too many requests; try again in \d+ s\.$/)),
      )
      const seconds = Number(answer.headers['retry-after'])
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })
})

describe('rate limits', () => {
  it('count each group separately', async () => {
    const address = newAddress()
    expect(await statuses(address, 3)).toEqual([404, 404, 429])
    expect((await server.call('POST', '/api/v1.0/auth/guest', address)).status).toBe(200)
  })

  it('count each address separately, and an IPv6 network as one', async () => {
    expect(await statuses(newAddress(), 3)).toEqual([404, 404, 429])
    expect(await statuses(newAddress(), 2)).toEqual([404, 404])
    expect(await statuses(from('2001:db8:1:2::1'), 2)).toEqual([404, 404])
    expect(await statuses(from('2001:db8:1:2:ffff::9'), 1)).toEqual([429])
    expect(await statuses(from('2001:db8:1:3::1'), 1)).toEqual([404])
  })

  it('also count an IPv6 /48, with four times the limit of a /64', async () => {
    const seen: number[] = []
    for (let i = 0; i < 10; i++) seen.push(...(await statuses(from(`2001:db8:48:${i}::1`), 1)))
    expect(seen).toEqual([...Array(8).fill(404), 429, 429])
    expect(await statuses(from('2001:db8:49::1'), 1)).toEqual([404])
  })

  it('do not affect the rest of the API', async () => {
    const address = newAddress()
    expect(await statuses(address, 10, 'GET', '/api/v1.0/server_info')).toEqual(Array(10).fill(200))
    expect(await statuses(address, 10, 'PUT', '/api/v1/integration/rooms/a')).toEqual(Array(10).fill(401))
    // A player sends many ranges; those of a school would keep others of its address from joining.
    expect(await statuses(address, 10, 'GET', '/api/v2/integration/files/lnk_1.x')).toEqual(
      Array(10).fill(401),
    )
    expect(await statuses(address, 2)).toEqual([404, 404])
  })

  it('ignore forwarded addresses if no proxy is trusted', async () => {
    const direct = await startTestServer({ Limits: { Enabled: '1', LinkPerMinute: '2' } })
    const seen: number[] = []
    for (let i = 0; i < 3; i++)
      seen.push((await direct.call('GET', '/api/v1.0/conferences/x', newAddress())).status)
    expect(seen).toEqual([404, 404, 429])
    await direct.close()
  })

  it('count anew after a minute, also when the clock is set back', async () => {
    let now = 3_600_000
    const { Limits } = loadConfig(undefined, { SVC_LIMITS_LINK_PER_MINUTE: '2' })
    const enforce = routeLimits(Limits, () => now)('link').onRequest as unknown as (request: {
      ip: string
    }) => Promise<void>
    const allowed = async () => {
      for (let count = 0; ; count++)
        try {
          await enforce({ ip: '203.0.113.1' })
        } catch {
          return count
        }
    }
    expect([await allowed(), await allowed()]).toEqual([2, 0])
    now = 0
    expect(await allowed()).toBe(0)
    now += 60_000
    expect(await allowed()).toBe(2)
  })

  it('do not apply when they are disabled', async () => {
    const open = await startTestServer({ Limits: { Enabled: '0', LinkPerMinute: '1' } })
    for (let i = 0; i < 5; i++) expect((await open.call('GET', '/api/v1.0/conferences/x')).status).toBe(404)
    await open.close()
  })
})
