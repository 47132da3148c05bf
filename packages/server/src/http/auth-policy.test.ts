import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Jwt } from '../accounts/jwt.ts'
import { Keys } from '../accounts/keys.ts'
import { Sessions } from '../accounts/sessions.ts'
import { administrationRoutes } from '../admin/index.ts'
import { createIntegration } from '../integration/index.ts'
import { createLog } from '../log.ts'
import { loadConfig } from '../main.ts'
import { buildServer } from '../server.ts'
import { RequestDurations } from '../telemetry/request-durations.ts'
import { JWT_SECRET } from '../testing/server.ts'
import { noAuth, useAuthPolicies } from './auth-policy.ts'

/** A part of the server that a refused request MUST NOT reach. */
// biome-ignore lint/suspicious/noExplicitAny: stands in for every part
const unreachable = (name: string): any =>
  new Proxy(
    {},
    {
      get: (_, key) => () => {
        throw new Error(`${name}.${String(key)} was reached`)
      },
    },
  )

const PUBLIC = [
  'DELETE /api/v1.0/whep/:id',
  'DELETE /api/v1.0/whip/:id',
  'GET /',
  'GET /admin',
  'GET /admin/*',
  'GET /api/openapi.json',
  'GET /api/v1.0/conferences/:tag',
  'GET /api/v1.0/control',
  'GET /api/v1.0/invitations/:token',
  'GET /api/v1.0/server_info',
  'GET /api/v1/integration/join/:token',
  'GET /calls',
  'GET /calls/:call_id',
  'GET /conferences/:tag',
  'GET /contacts',
  'GET /conversations',
  'GET /conversations/:chat_id',
  'GET /healthz',
  'GET /index.css',
  'GET /invite/:token',
  'GET /j/:token',
  'GET /meetings',
  'GET /readyz',
  'GET /recordings',
  'GET /recordings/:id',
  'GET /settings',
  'GET /sign-in/callback',
  'OPTIONS /api/v1.0/conferences/:tag/whep',
  'OPTIONS /api/v1.0/conferences/:tag/whip',
  'OPTIONS /api/v1.0/whep/:id',
  'OPTIONS /api/v1.0/whip/:id',
  'PATCH /api/v1.0/whep/:id',
  'PATCH /api/v1.0/whip/:id',
  'POST /api/v1.0/auth/guest',
  'POST /api/v1.0/auth/login',
  'POST /api/v1.0/auth/logout',
  'POST /api/v1.0/auth/refresh',
  'POST /api/v1.0/auth/sso/complete',
  'POST /api/v1.0/auth/sso/start',
  'POST /api/v1.0/conferences/:tag/whep',
  'POST /api/v1.0/conferences/:tag/whip',
  'POST /api/v1.0/connection-test',
  'POST /api/v1.0/invitations/:token',
  'POST /api/v1/integration/auth/token',
  'POST /api/v1/integration/join/:token',
]

let app: FastifyInstance
let folder: string
let foreignToken: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-test-'))
  const ini = `[Server]\nJwtSecret = ${JWT_SECRET}\nMetricsToken = a token of metrics\n[Limits]\nEnabled = 0\n`
  writeFileSync(join(folder, 'lectern.ini'), ini)
  const webFolder = join(folder, 'web')
  mkdirSync(webFolder)
  writeFileSync(join(webFolder, 'index.css'), '')
  const keys = new Keys(JWT_SECRET)
  const jwt = new Jwt(keys, Date.now)
  const accounts = unreachable('accounts')
  const stores = unreachable('stores')
  const sessions = new Sessions({ store: stores, jwt, keys, clock: Date.now, guestExpiryDays: 1 })
  const shared = { accounts, sessions, jwt, version: '0', publicUrl: () => '' }
  const integration = createIntegration({
    ...shared,
    keys,
    clock: Date.now,
    stores: {
      serviceAccounts: stores,
      rooms: stores,
      participants: stores,
      webhooks: stores,
      deliveries: stores,
    },
    deliveries: unreachable('deliveries'),
    conferences: unreachable('conferences'),
    hasTranscriber: unreachable('hasTranscriber'),
    plainLink: 'closed',
    allowInsecureWebhooks: false,
    isLimited: true,
  })
  app = await buildServer({
    ...shared,
    integration,
    config: loadConfig(join(folder, 'lectern.ini'), {}),
    log: createLog('silent'),
    webFolder,
    isReady: async () => true,
    gauges: {},
    requests: new RequestDurations(),
    passwordLogin: unreachable('passwordLogin'),
    ownAccount: unreachable('ownAccount'),
    invitations: unreachable('invitations'),
    singleSignOn: null,
    relay: null,
    certificate: null,
    whip: unreachable('whip'),
    directory: unreachable('directory'),
    archive: unreachable('archive'),
    ownRecordings: unreachable('ownRecordings'),
    blobs: unreachable('blobs'),
    administration: administrationRoutes(unreachable('administration')),
    uploads: unreachable('uploads'),
    conferences: unreachable('conferences'),
    jobs: unreachable('jobs'),
    members: unreachable('members'),
    contacts: unreachable('contacts'),
    control: { drain: () => {} } as never,
    probes: unreachable('probes'),
    pushPublicKey: '',
  })
  await app.ready()
  // Signed with the right key, but for an audience that no route accepts.
  foreignToken = await jwt.sign('lectern:nobody' as 'lectern:user', { sub: '1', sid: 'u-1' }, 60)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

type Method = Exclude<InjectOptions['method'], undefined>

/** All routes except those that answer 405 and those of the reference page, HEAD and GET separately. */
const routes = () =>
  app.declaredRoutes
    .filter(({ method, url }) => !Array.isArray(method) && !url.startsWith('/docs'))
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

  it('leave exactly these routes public', () => {
    const open = routes().filter(route => !isProtected(route) && route.method !== 'HEAD')
    expect(open.map(nameOf).sort()).toEqual(PUBLIC)
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

  it('check the caller before the parameters', async () => {
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
