import { readFileSync } from 'node:fs'
import { Refusal } from '@lectern/protocol'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config/index.ts'
import { useAuthPolicies } from './http/auth-policy.ts'
import { BODY_LIMIT_BYTES, readBodies } from './http/body.ts'
import { closeConnections } from './http/closing.ts'
import { refuseOtherMethods, sendClientError, sendError } from './http/errors.ts'
import { pageHeaders, useApiHeaders } from './http/headers.ts'
import { type ApiParts, apiRoutes, INTEGRATION_PREFIX } from './http/index.ts'
import { useLimits } from './http/limits.ts'
import { useOpenApi } from './http/openapi.ts'
import { pageRoutes } from './http/pages/routes.ts'
import { logRequests } from './http/request-log.ts'
import { ajvOptions, explainValidation } from './http/validation.ts'
import { useHealth } from './telemetry/health.ts'
import { type Gauges, useMetrics } from './telemetry/metrics.ts'

export interface ServerParts extends Omit<ApiParts, 'limits'> {
  log: Logger
  /** Folder of the built web pages. */
  webFolder: string
  isReady: () => Promise<boolean>
  readings: Gauges
}

const URL_LIMIT = 8 * 1024
const REQUEST_WITHIN_MS = 30_000

/** The HTTP server, ready for inject(): it listens on no port yet. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, version } = parts
  const app = fastify({
    loggerInstance: parts.log as never, // Fastify's logger type asks for less than pino gives
    logController: new LogController({ disableRequestLogging: true }), // http/request-log.ts does it
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    trustProxy: trustProxy(config),
    routerOptions: { maxParamLength: URL_LIMIT },
    https: tls(config),
    ajv: ajvOptions,
    schemaErrorFormatter: explainValidation,
    childLoggerFactory: (log: Logger) => log, // request-log.ts says which request it was
    frameworkErrors: sendRouterError(parts) as never,
    clientErrorHandler: sendClientError,
    return503OnClosing: false, // what still comes in on an open connection is answered
  } as object) as unknown as FastifyInstance

  app.setErrorHandler(sendError)
  // Presenters list the fields that leave; for bodies as small as ours nothing is faster than this.
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRequest', (request, _reply, done) => {
    // What is unknown is so whatever its length and its body. Browsers get a page that says it.
    if (request.is404) done(request.method === 'GET' ? undefined : new Refusal('not_found'))
    else done(request.url.length <= URL_LIMIT ? undefined : new Refusal('uri_too_long'))
  })
  useAuthPolicies(app)
  closeConnections(app, config.Server.TlsCert !== '')
  useApiHeaders(app)
  logRequests(app, parts.log)
  readBodies(app)
  const closeMethods = refuseOtherMethods(app)
  await useOpenApi(app, version)
  const limits = await useLimits(app, config.Limits)
  useHealth(app, parts.isReady)
  useMetrics(
    app,
    { token: config.Server.MetricsToken, isPublic: config.Server.MetricsPublic },
    parts.readings,
  )

  await app.register(apiRoutes({ ...parts, limits }))
  const headers = pageHeaders(config.Integration.FrameAncestors, config.Integration.PublicUrl)
  await app.register(pageRoutes({ folder: parts.webFolder, headers }))
  closeMethods()
  return app
}

/** What the router itself refuses; with the module off there is nothing at its paths, however written. */
function sendRouterError({ integration }: ServerParts): typeof sendError {
  return (error, request, reply) => {
    const isNowhere = !integration.routes && request.url.startsWith(`${INTEGRATION_PREFIX}/`)
    return sendError(isNowhere ? new Refusal('not_found') : error, request, reply)
  }
}

/** One hop takes the entry of the nearest proxy, so that what clients put before it counts for nothing. */
function trustProxy({ Server: { TrustProxy } }: Config) {
  if (TrustProxy === 1) return (_address: string, hop: number) => hop === 0
  return TrustProxy.length > 0 ? TrustProxy : false
}

function tls({ Server: { TlsCert, TlsKey } }: Config) {
  return TlsCert ? { cert: readFileSync(TlsCert), key: readFileSync(TlsKey) } : null
}
