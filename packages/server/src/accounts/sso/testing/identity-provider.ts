import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

export const CLIENT_ID = 'lectern'
export const CLIENT_SECRET = 'client-secret-of-tests'

type Claims = Record<string, unknown>
type Tamper = (request: IncomingMessage, response: ServerResponse) => boolean

/** A real OpenID provider on loopback with its own login page, which accepts every password. */
export interface TestIdentityProvider {
  issuer: string
  /** Claims of the person with this `sub`, who is created on the first sign-in, as userinfo has them. */
  claims: Map<string, Claims>
  /** Those in the ID token; only `sub` unless they are set. */
  idTokenClaims: Map<string, Claims>
  /** May answer a request instead of the provider. */
  tamper: Tamper
  /** Paths of the requests so far. */
  requests: string[]
  /** The addresses of the client; it may be registered after the start. */
  redirectUris: string[]
  close(): Promise<void>
}

export async function startIdentityProvider(port = 0): Promise<TestIdentityProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => {
    test.requests.push(String(request.url).split('?')[0] as string)
    if (!test.tamper(request, response)) handle(request, response)
  })
  server.keepAliveTimeout = 0 // on a busy machine, it would close a connection just when a request is sent on it
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test: TestIdentityProvider = {
    issuer,
    claims: new Map(),
    idTokenClaims: new Map(),
    tamper: () => false,
    requests: [],
    redirectUris: [],
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }
  const client = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: test.redirectUris,
    grant_types: ['authorization_code'],
    response_types: ['code'],
  }
  /** Reads the redirect addresses for each request. */
  const adapter = class {
    readonly #stored = new Map<string, object>()
    readonly #name: string
    static readonly all = new Map<string, Map<string, object>>()
    constructor(name: string) {
      this.#name = name
      this.#stored = adapter.all.get(name) ?? new Map()
      adapter.all.set(name, this.#stored)
    }
    find = async (id: string) =>
      this.#name === 'Client' ? (id === CLIENT_ID ? client : undefined) : this.#stored.get(id)
    upsert = async (id: string, payload: object) => void this.#stored.set(id, payload)
    destroy = async (id: string) => void this.#stored.delete(id)
    consume = async (id: string) => void Object.assign(this.#stored.get(id) ?? {}, { consumed: Date.now() })
    findByUid = async (uid: string) => [...this.#stored.values()].find(each => (each as Claims).uid === uid)
    findByUserCode = async () => undefined
    revokeByGrantId = async (grantId: string) => {
      for (const [id, each] of this.#stored) if ((each as Claims).grantId === grantId) this.#stored.delete(id)
    }
  }
  const provider = new Provider(issuer, {
    adapter,
    jwks: { keys: [key] },
    ttl: {
      Interaction: 600,
      Grant: 600,
      Session: 600,
      AccessToken: 600,
      IdToken: 600,
      AuthorizationCode: 60,
    },
    cookies: { keys: ['cookie key of tests'] },
    conformIdTokenClaims: false, // claims below decide
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    findAccount: async (_: unknown, sub: string) => ({
      accountId: sub,
      claims: async (use: string) =>
        use === 'id_token'
          ? { ...test.idTokenClaims.get(sub), sub }
          : { preferred_username: sub, ...test.claims.get(sub), sub },
    }),
    // No page for consent.
    loadExistingGrant: async (ctx: {
      oidc: { client: { clientId: string }; session: { accountId: string } }
    }) => {
      const grant = new provider.Grant({
        clientId: ctx.oidc.client.clientId,
        accountId: ctx.oidc.session.accountId,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  handle = provider.callback()
  return test
}

/** Signs in as a browser does: follows redirects with cookies, and submits the login page. Returns the callback's query. */
export async function signInAt(authorizationUrl: string, login: string): Promise<string> {
  const cookies = new Map<string, string>()
  const visit = async (url: string, body?: string): Promise<string> => {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(pair => pair.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body !== undefined && { body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] as string).split('=')
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) {
      const action = /action="([^"]+)"/.exec(await response.text())?.[1]
      if (!action) throw new Error(`the provider answered ${response.status}`)
      return visit(new URL(action, url).href, `prompt=login&login=${encodeURIComponent(login)}&password=x`)
    }
    const next = new URL(location, url)
    return next.pathname === '/sign-in/callback' ? next.search : visit(next.href)
  }
  return visit(authorizationUrl)
}
