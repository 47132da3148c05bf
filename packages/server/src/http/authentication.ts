import { ensure, Refusal } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { Accounts } from '../accounts/accounts.ts'
import type { AuthSessions } from '../accounts/auth-sessions.ts'
import type { Jwt } from '../accounts/jwt.ts'
import type { SignedIn } from '../accounts/own-account.ts'
import type { User } from '../accounts/ports.ts'
import type { Integration } from '../hooks.ts'
import type { Actor } from '../operations/audit/ports.ts'
import { AuthPolicy, noAuth } from './auth-policy.ts'
import { bearerToken } from './bearer.ts'

/** The caller of a route that accepts both kinds of tokens: a user, or the technical user of a service account. */
export interface TokenHolder {
  user: User
  /** The scopes of a service token; null for a user token. */
  scopes: string[] | null
}

interface AuthOptions {
  accounts: Accounts
  sessions: AuthSessions
  integration: Integration
  jwt: Jwt
}

export type Auth = ReturnType<typeof createAuth>

/** The auth policies of the API. The integration module defines the policies of the partner routes. */
export function createAuth({ accounts, sessions, integration, jwt }: AuthOptions) {
  const holderOf = async (token: string): Promise<TokenHolder> => {
    const service = await integration.identify(token)
    if (!service) return { user: await sessions.authenticate(token), scopes: null }
    const user = await accounts.find(service.clientId)
    ensure(user, 'unauthenticated')
    return { user, scopes: service.scopes }
  }
  const requireAdmin = async (token: string, address: string): Promise<Actor> => {
    if (jwt.claimedAudience(token) === 'lectern:operator') {
      const { sub } = await jwt.verify('lectern:operator', token)
      return { kind: 'command_line', name: String(sub ?? ''), address }
    }
    const { id, login, capabilities } = await sessions.authenticate(token)
    ensure(capabilities.includes('admin'), 'permission_denied', 'This needs the capability admin.')
    return { kind: 'user', userId: id, name: login, address }
  }
  const userOrService: Record<string, string[]>[] = [{ service: [] }, { user: [] }]
  return {
    none: noAuth,
    /** A user access token. */
    user: new AuthPolicy<User>('user', [{ user: [] }], request =>
      sessions.authenticate(bearerToken(request)),
    ),
    /** Like `user`; the caller includes the sign-in of the token. */
    signedIn: new AuthPolicy<SignedIn>('signed in', [{ user: [] }], request =>
      sessions.identify(bearerToken(request)),
    ),
    userOrService: new AuthPolicy<TokenHolder>('user or service', userOrService, request =>
      holderOf(bearerToken(request)),
    ),
    /** Like `userOrService`; the query parameter `t` may contain the token. */
    download: new AuthPolicy<TokenHolder>('download', userOrService, request =>
      holderOf(downloadToken(request)),
    ),
    /** A user with the capability `admin`, or the command line of the operator, which signs its tokens with JwtSecret. */
    admin: new AuthPolicy<Actor>('admin', [{ user: [] }], request =>
      requireAdmin(bearerToken(request), request.ip),
    ),
  }
}

/** The header takes precedence (rule FILE-2). A repeated token makes the request malformed (RFC 6750 §3.1). */
function downloadToken(request: FastifyRequest): string {
  const { t } = request.query as { t?: string | string[] }
  if (request.headers.authorization !== undefined || !t) return bearerToken(request)
  if (typeof t !== 'string') throw new Refusal('invalid_argument', 'The query parameter t must occur once.')
  return t
}
