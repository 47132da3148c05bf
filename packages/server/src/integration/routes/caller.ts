import { ensure, Refusal } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken } from '../../http/bearer.ts'
import type { Caller, ServiceAccounts } from '../service-accounts.ts'

const callers = new WeakMap<FastifyRequest, Caller>()

/** Every route registered after this needs a service token with the scope `integration:rooms`. */
export function requireCaller(app: FastifyInstance, accounts: ServiceAccounts) {
  app.addHook('onRequest', async request => {
    const caller = await accounts.authenticate(bearerToken(request))
    ensure(
      caller.scopes.includes('integration:rooms'),
      'permission_denied',
      'This token does not have the scope integration:rooms.',
    )
    callers.set(request, caller)
  })
}

/** The service account behind a request that has passed requireCaller. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request)
  if (!caller) throw new Refusal('unauthenticated')
  return caller
}
