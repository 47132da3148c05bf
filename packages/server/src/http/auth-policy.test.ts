import { readFileSync } from 'node:fs'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRoutes } from '../testing/routes.ts'
import { noAuth, useAuthPolicies } from './auth-policy.ts'

const PUBLIC = [
  'DELETE /api/v1.0/whep/:id',
  'DELETE /api/v1.0/whip/:id',
  'GET /',
  'GET /admin',
  'GET /admin/*',
  'GET /api/openapi.json',
  'GET /api/v1.0/calendars/:token/meetings.ics',
  'GET /api/v1.0/conferences/:tag',
  'GET /api/v1.0/control',
  'GET /api/v1.0/invitations/:token',
  'GET /api/v1.0/missed-call-mails/:token',
  'GET /api/v1.0/server_info',
  'GET /api/v1/integration/join/:token',
  'GET /api/v2/integration/files/:link_token',
  'GET /calls',
  'GET /calls/:call_id',
  'GET /conferences/:tag',
  'GET /contacts',
  'GET /conversations',
  'GET /conversations/:chat_id',
  'GET /healthz',
  'GET /index.css',
  'GET /integrations',
  'GET /integrations/*',
  'GET /invite/:token',
  'GET /j/:token',
  'GET /meetings',
  'GET /readyz',
  'GET /recordings',
  'GET /recordings/:id',
  'GET /settings',
  'GET /sign-in/callback',
  'OPTIONS /api/storage/uploads',
  'OPTIONS /api/storage/uploads/:upload_id',
  'OPTIONS /api/v1.0/conferences/:tag/whep',
  'OPTIONS /api/v1.0/conferences/:tag/whip',
  'OPTIONS /api/v1.0/whep/:id',
  'OPTIONS /api/v1.0/whip/:id',
  'PATCH /api/v1.0/whep/:id',
  'PATCH /api/v1.0/whip/:id',
  'POST /api/v1.0/auth/guest',
  'POST /api/v1.0/auth/login',
  'POST /api/v1.0/auth/logout',
  'POST /api/v1.0/auth/password-reset',
  'POST /api/v1.0/auth/refresh',
  'POST /api/v1.0/auth/sso/complete',
  'POST /api/v1.0/auth/sso/start',
  'POST /api/v1.0/conferences/:tag/whep',
  'POST /api/v1.0/conferences/:tag/whip',
  'POST /api/v1.0/connection-test',
  'POST /api/v1.0/invitations/:token',
  'POST /api/v1.0/missed-call-mails/:token',
  'POST /api/v1/integration/auth/token',
  'POST /api/v1/integration/join/:token',
]

let app: FastifyInstance
let close: () => Promise<void>
let foreignToken: string
beforeAll(async () => {
  const routes = await openRoutes()
  app = routes.app
  close = routes.close
  // Signed with the right key, but for an audience that no route accepts.
  foreignToken = await routes.jwt.sign('lectern:nobody' as 'lectern:user', { sub: '1', sid: 'u-1' }, 60)
})
afterAll(() => close())

type Method = Exclude<InjectOptions['method'], undefined>

/** All routes except those that answer 405, HEAD and GET separately. */
const routes = () =>
  app.declaredRoutes
    .filter(({ method }) => !Array.isArray(method))
    .map(({ method, url, config }) => ({ method: method as Method, url, policy: config?.auth }))
const isProtected = ({ policy }: { policy: unknown }) => policy !== noAuth
const nameOf = ({ method, url }: { method: string; url: string }) => `${method} ${url}`

const WRONG_BODIES: [name: string, options: InjectOptions][] = [
  ['no body', {}],
  ['a body of the wrong shape', { payload: '[]', headers: { 'content-type': 'application/json' } }],
  ['a body that is not JSON', { payload: '{', headers: { 'content-type': 'application/json' } }],
  ['a body of the wrong type', { payload: 'x', headers: { 'content-type': 'text/plain' } }],
  [
    'a body that is too large',
    { payload: ' '.repeat(70_000), headers: { 'content-type': 'application/json' } },
  ],
]

describe('auth policies', () => {
  it('are declared by every route', () => {
    expect(routes().length).toBeGreaterThan(40)
    expect(app.declaredRoutes.filter(({ config }) => config?.auth === undefined)).toEqual([])
  })

  it('belong to routes that are in the OpenAPI document, apart from these', () => {
    const hidden = app.declaredRoutes
      .filter(({ method, url, schema }) => url.startsWith('/api/') && !Array.isArray(method) && schema?.hide)
      .map(({ method, url }) => `${String(method)} ${url}`)
      .filter(name => !/^(HEAD|OPTIONS) /.test(name))
    expect(hidden.sort()).toEqual(['GET /api/openapi.json', 'GET /api/v1.0/control'])
  })

  it('leave exactly these routes public', () => {
    const open = routes().filter(route => !isProtected(route) && route.method !== 'HEAD')
    const names = open.map(nameOf).map(name => name.replace(/(?<! )\/$/, '')) // pages end with a slash, too
    expect([...new Set(names)].sort()).toEqual(PUBLIC)
  })

  it('with a secret in the address are kept out of the log of the shipped nginx, and named in its guide', () => {
    const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
    const nginx = read('deploy/nginx/lectern.conf')
    const patterns = [...nginx.matchAll(/^ *~\*(\S+) +0;$/gm)].map(
      ([, pattern = '']) => new RegExp(pattern, 'i'),
    )
    const guide = read('docs/install.md')
    const secret = routes().filter(({ url }) => /:(\w+_)?token\b/.test(url))
    expect(secret.length).toBeGreaterThan(10)
    const isKept = ({ url }: { url: string }) =>
      patterns.some(each => each.test(url)) && guide.includes(`\`${url.slice(0, url.indexOf(':'))}\``)
    expect(secret.filter(route => !isKept(route)).map(nameOf)).toEqual([])
  })

  it.each(WRONG_BODIES)(
    'refuse a request with %s and without a token with 401 on every protected route',
    async (_, options) => {
      const answers = await Promise.all(
        routes()
          .filter(isProtected)
          .map(route => call(route, options)),
      )
      expect(answers.length).toBeGreaterThan(20)
      expect(answers.filter(({ status }) => status !== 401)).toEqual([])
    },
  )

  it('refuse a token that is not valid, or for another audience, with 401 on every protected route', async () => {
    for (const token of ['rubbish', foreignToken]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const options = { payload: '{', headers }
      const answers = await Promise.all(
        routes()
          .filter(isProtected)
          .map(route => call(route, options)),
      )
      expect(answers.filter(({ status }) => status !== 401)).toEqual([])
    }
  })

  it('check the caller before the parameters (API-7)', async () => {
    for (const url of ['/api/v1/integration/rooms/%00', `/api/v1.0/admin/transcripts/${'x'.repeat(200)}`])
      expect((await app.inject({ method: 'GET', url })).statusCode).toBe(401)
  })

  it('keep 404 for unknown URLs and 405 for unsupported methods', async () => {
    for (const url of ['/api/v1.0/nothing', '/api/v1/integration/nothing', '/api/storage/uploads/a/b'])
      for (const method of ['GET', 'POST', 'PUT'] as const)
        expect((await app.inject({ method, url, payload: '{' })).statusCode, url).toBe(404)
    expect((await app.inject({ method: 'DELETE', url: '/api/v1/integration/rooms/x' })).statusCode).toBe(405)
  })
})

it('the server does not start while a route declares no auth policy', async () => {
  const bare = fastify()
  useAuthPolicies(bare)
  bare.get('/open', { config: { auth: noAuth } }, async () => 'open')
  bare.get('/forgotten', async () => 'forgotten')
  await expect(bare.ready()).rejects.toThrow('GET /forgotten')
})

it('a handler cannot read the caller of a policy that its route does not declare', async () => {
  const bare = fastify()
  useAuthPolicies(bare)
  bare.get('/', { config: { auth: noAuth } }, async request => String(noAuth.callerOf(request)))
  expect((await bare.inject('/')).statusCode).toBe(500)
})

async function call({ method, url }: { method: Method; url: string }, options: InjectOptions) {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const { authorization } = (options.headers ?? {}) as Record<string, string>
  const request = hasBody ? options : { headers: authorization ? { authorization } : {} }
  const { statusCode } = await app.inject({ ...request, method, url: url.replace(/:\w+/g, 'x') })
  return { route: `${method} ${url}`, status: statusCode }
}
