import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

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

/** Who may call a route. The check runs before anything else of the request is read (decision 37). */
export class AuthPolicy<Caller> {
  readonly name: string
  /** As the OpenAPI document states it. */
  readonly security: Security
  readonly #authenticate: Authenticate<Caller>

  /** `authenticate` throws what the request is refused with. Without a promise it costs no turn of the microtask queue. */
  constructor(name: string, security: Security, authenticate: Authenticate<Caller>) {
    this.name = name
    this.security = security
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
      found => {
        request.authenticated = { policy: this, caller: found }
        done()
      },
      error => done(error),
    )
  }
}

/** For routes that need no token: they are public, or the path or the body holds the secret. */
export const noAuth = new AuthPolicy<null>('none', [], () => null)

/**
 * Runs the policy of each route registered after this, behind the route's rate limit and before its body is read. The
 * server does not start while a route declares no policy.
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
    const open = routes.filter(({ config }) => !config?.auth).map(({ method, url }) => `${method} ${url}`)
    done(open.length > 0 ? new Error(`routes without an auth policy: ${open.join(', ')}`) : undefined)
  })
}

/** Declares for the routes of plugins that they are public. */
export function declareNoAuth(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    route.config = { ...route.config, auth: noAuth }
  })
}
