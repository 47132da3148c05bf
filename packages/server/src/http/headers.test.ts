import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let embeddable: TestServer
beforeAll(async () => {
  server = await startTestServer()
  embeddable = await startTestServer({
    Integration: {
      PublicUrl: 'https://meet.example',
      FrameAncestors: 'https://partner.example https://*.school.example',
    },
  })
})
afterAll(() => Promise.all([server.close(), embeddable.close()]))

const directives = (policy: unknown) =>
  Object.fromEntries(
    String(policy)
      .split(';')
      .map(each => each.trim().split(/ (.*)/s).slice(0, 2)),
  )

describe('responses of the API', () => {
  it.each([
    ['GET', '/api/v1.0/server_info'],
    ['POST', '/api/v1.0/auth/guest'],
    ['GET', '/api/v1.0/me'],
    ['GET', '/api/v1/integration/join/x'],
    ['PUT', '/api/v1/integration/rooms/a'],
    ['DELETE', '/api/v1/integration/rooms/a'],
    ['GET', '/api/nothing'],
    ['GET', '/api/v1/integration/rooms/%zz'],
    ['GET', '/api/openapi.json'],
    ['GET', '/healthz'],
  ])('are not stored, sniffed, embedded or sent as a referrer: %s %s', async (method, path) => {
    const { headers } = await embeddable.call(method, path)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })

  it('allow no other origin to read them', async () => {
    const { headers } = await server.call('GET', '/api/v1.0/server_info', {
      headers: { origin: 'https://evil.example' },
    })
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

const PAGES = ['/', '/j/some-token', '/conferences/some-tag']

describe.each(PAGES)('the page %s', path => {
  it('may not be embedded by other origins by default', async () => {
    const { status, headers } = await server.call('GET', path)
    expect(status).toBe(200)
    expect(directives(headers['content-security-policy'])['frame-ancestors']).toBe("'self'")
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  it('may be embedded by the configured origins', async () => {
    const { headers } = await embeddable.call('GET', path)
    expect(directives(headers['content-security-policy'])['frame-ancestors']).toBe(
      'https://partner.example https://*.school.example',
    )
    expect(headers).not.toHaveProperty('x-frame-options')
  })

  it('loads nothing from other origins and sends no referrer', async () => {
    const { headers } = await embeddable.call('GET', path)
    const policy = directives(headers['content-security-policy'])
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
      'connect-src': "'self' wss://meet.example",
      'base-uri': "'none'",
      'form-action': "'none'",
    })
    const { 'connect-src': _, 'frame-ancestors': __, 'script-src': ___, ...others } = policy
    expect(JSON.stringify(others)).not.toMatch(/http|\*|unsafe|eval/)
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  it('may use the browser features that a call needs', async () => {
    const { headers } = await server.call('GET', path)
    for (const feature of ['camera', 'microphone', 'display-capture', 'autoplay', 'fullscreen'])
      expect(headers['permissions-policy']).toContain(`${feature}=(self)`)
  })

  it('sends Strict-Transport-Security only with an https PublicUrl', async () => {
    expect((await server.call('GET', path)).headers).not.toHaveProperty('strict-transport-security')
  })
})
