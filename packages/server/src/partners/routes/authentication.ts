import { ensure, type SCOPES } from '@lectern/protocol'
import { AuthPolicy } from '../../http/auth-policy.ts'
import { bearerToken } from '../../http/bearer.ts'
import type { Caller, ServiceAccounts } from '../service-accounts.ts'

type Scope = (typeof SCOPES)[number]

/** Requires a service token with this scope (docs/partner-api.md#authentication). */
export function serviceAuth(accounts: ServiceAccounts, scope: Scope): AuthPolicy<Caller> {
  const requireScope = (caller: Caller): Caller => {
    ensure(caller.scopes.includes(scope), 'permission_denied', `This token does not have the scope ${scope}.`)
    return caller
  }
  return new AuthPolicy('service', [{ service: [] }], request => {
    const caller = accounts.authenticate(bearerToken(request))
    return caller instanceof Promise ? caller.then(requireScope) : requireScope(caller)
  })
}
