import { ensure, type SCOPES, SERVICE_ACCOUNT_HEADER } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { Jwt } from '../../accounts/jwt.ts'
import type { User } from '../../accounts/ports.ts'
import { AuthPolicy } from '../../http/auth-policy.ts'
import { bearerToken } from '../../http/bearer.ts'
import type { RateLimiter } from '../../platform/rate-limiter.ts'
import type { Owners } from '../owners.ts'
import type { Caller, ServiceAccounts } from '../service-accounts.ts'

type Scope = (typeof SCOPES)[number]

/** The callers of a route of version 2. */
export interface PartnerAuth {
  /** A service token. */
  service: AuthPolicy<Caller>
  /** Also an owner of the technical user, for what the console of partners shows and changes. */
  serviceOrOwner: AuthPolicy<Caller>
  /** An owner, for what no service token may do. */
  owner: AuthPolicy<Caller>
}

interface PartnerAuthParts {
  accounts: ServiceAccounts
  owners: Owners
  jwt: Pick<Jwt, 'claimedAudience'>
  /** Authenticates the access token of a user. */
  authenticateUser: (token: string) => Promise<User>
  /** Limits of the requests of owners, by their user id. */
  limits: RateLimiter<number>
}

const documents = {
  headers: {
    'Lectern-Service-Account': {
      description:
        'The name of the service account, percent-encoded: with the access token of a user who owns its technical user.',
      schema: { type: 'string', minLength: 1, maxLength: 2_000 },
      example: 'academy',
    },
  },
  errors: ['service_account_not_found', 'permission_denied', 'rate_limited'],
} as const

/** Requires a token with this scope (docs/partner-api.md#authentication). An owner acts with the scopes of the account. */
export function partnerAuth(parts: PartnerAuthParts, scope: Scope): PartnerAuth {
  const { accounts, owners, jwt, authenticateUser, limits } = parts
  const requireScope = (caller: Caller): Caller => {
    ensure(caller.scopes.includes(scope), 'permission_denied', `This token does not have the scope ${scope}.`)
    return caller
  }
  const service = (request: FastifyRequest) => {
    const caller = accounts.authenticate(bearerToken(request))
    return caller instanceof Promise ? caller.then(requireScope) : requireScope(caller)
  }
  const owner = async (request: FastifyRequest) => {
    const user = await authenticateUser(bearerToken(request))
    limits.enforce(user.id)
    return requireScope(await owners.callerFor(user, accountOf(request), request.ip))
  }
  return {
    service: new AuthPolicy('service', [{ service: [] }], service),
    serviceOrOwner: new AuthPolicy(
      'service or owner',
      [{ service: [] }, { user: [] }],
      // A malformed token is refused like that of a service account, as on the other routes.
      request => (jwt.claimedAudience(bearerToken(request)) === 'lectern:user' ? owner : service)(request),
      documents,
    ),
    owner: new AuthPolicy('owner', [{ user: [] }], owner, documents),
  }
}

/** The name in the header; empty, which is the name of no account, if it is missing or malformed. */
function accountOf({ headers }: FastifyRequest): string {
  const value = headers[SERVICE_ACCOUNT_HEADER]
  try {
    return typeof value === 'string' ? decodeURIComponent(value) : ''
  } catch {
    return ''
  }
}
