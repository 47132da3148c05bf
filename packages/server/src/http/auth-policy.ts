import type { ErrorCode } from '@lectern/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Header } from './openapi/operation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route declares who may call it. */
    auth?: AuthPolicy<unknown>
  }
  interface FastifyInstance {
    declaredRoutes: readonly RouteOptions[]
  }
  interface FastifyRequest {
    /** Set by the policy of the route. Handlers read it with `callerOf` of that policy. */
    authenticated: { policy: AuthPolicy<unknown>; caller: unknown } | null
  }
}

type Authenticate<Caller> = (request: FastifyRequest) => Caller | Promise<Caller>
type Security = Record<string, string[]>[]

/** The parts of the OpenAPI document of routes with the policy. */
interface PolicyDocuments {
  headers?: Readonly<Record<string, Header>>
  errors?: readonly ErrorCode[]
}

/** Authenticates the callers of a route, before the input of the request is read or validated (decision 37). */
export class AuthPolicy<Caller> {
  readonly name: string
  /** The security requirement in the OpenAPI document. */
  readonly security: Security
  readonly documents: PolicyDocuments
  readonly #authenticate: Authenticate<Caller>

  /** `authenticate` throws the refusal. A synchronous result saves a pass through the microtask queue. */
  constructor(
    name: string,
    security: Security,
    authenticate: Authenticate<Caller>,
    documents: PolicyDocuments = {},
  ) {
    this.name = name
    this.security = security
    this.documents = documents
    this.#authenticate = authenticate
  }

  /** The caller of a request to a route with this policy. */
  callerOf({ authenticated }: FastifyRequest): Caller {
    if (authenticated?.policy !== this) throw new Error(`the route does not declare the policy ${this.name}`)
    return authenticated.caller as Caller
  }

  readonly onRequest = (
    request: FastifyRequest,
    _reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const caller = this.#authenticate(request)
    if (!(caller instanceof Promise)) {
      request.authenticated = { policy: this, caller }
      done()
      return
    }
    caller.then(
      resolved => {
        request.authenticated = { policy: this, caller: resolved }
        done()
      },
      error => done(error),
    )
  }
}

/** For routes that need no token: they are public, or the path or the body holds the secret. */
export const noAuth = new AuthPolicy<null>('none', [], () => null)

/**
 * Runs the policy of each route that is registered later, after the route's rate limit and before its body is read. The
 * server does not start if a route declares no policy.
 */
export function useAuthPolicies(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.decorate('declaredRoutes', routes)
  app.decorateRequest('authenticated', null)
  app.addHook('onRoute', route => {
    routes.push(route)
    const policy = route.config?.auth
    if (policy && policy !== noAuth) route.onRequest = [...[route.onRequest ?? []].flat(), policy.onRequest]
  })
  app.addHook('onReady', done => {
    const undeclared = routes
      .filter(({ config }) => !config?.auth)
      .map(({ method, url }) => `${method} ${url}`)
    done(
      undeclared.length > 0
        ? new Error(`routes without an auth policy: ${undeclared.join(', ')}`)
        : undefined,
    )
  })
}
