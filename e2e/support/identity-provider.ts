import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export const CLIENT = { id: 'lectern', secret: 'client-secret-of-stories' }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A real OpenID provider on loopback, with its own page for signing in, which accepts every password. */
export interface IdentityProvider {
  issuer: string
  /** Addresses of the services that may use it. */
  redirectUris: string[]
  /** The name of the person with this login; the login itself if it is not set. */
  names: Map<string, string>
  /** Requests of the service for this path fail. */
  failingPath: string | null
}

export async function useIdentityProvider(): Promise<IdentityProvider> {
  // Loaded here: it prints a note about the version of Node.
  // @ts-expect-error It ships no types.
  const { default: untyped } = await import('oidc-provider')
  const Provider = untyped as new (issuer: string, configuration: object) => { callback(): Handler }
  const redirectUris: string[] = []
  const names = new Map<string, string>()
  const server = createServer((request, response) => {
    if (request.url === provider.failingPath) response.writeHead(503).end()
    else handle(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: IdentityProvider = { issuer, redirectUris, names, failingPath: null }
  const build = () =>
    new Provider(issuer, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [...redirectUris] }],
      cookies: { keys: ['cookie key of stories'] },
      claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, preferred_username: sub, name: names.get(sub) ?? sub }),
      }),
    }).callback()
  let builtFor = -1
  let current: Handler = () => {}
  const handle: Handler = (request, response) => {
    // The address of the service is known only after its start, when it has asked for the provider's settings.
    if (builtFor !== redirectUris.length) current = build()
    builtFor = redirectUris.length
    current(request, response)
  }
  return provider
}
