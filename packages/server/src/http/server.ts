import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:https'
import { Refusal } from '@lectern/protocol'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { useRelayedAddresses } from '../control/routes/relay.ts'
import type { StunMultiplexer } from '../media/turn/stun-multiplexer.ts'
import { useHealth } from '../operations/telemetry/health.ts'
import { type Gauges, useMetrics } from '../operations/telemetry/metrics.ts'
import type { RequestDurations } from '../operations/telemetry/request-durations.ts'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/index.ts'
import { compilersFactory, explainValidation } from '../platform/shape.ts'
import { takeOverriddenMethod } from '../records/routes/uploads/method-override.ts'
import { useAuthPolicies } from './auth-policy.ts'
import { BODY_LIMIT_BYTES, readBodies } from './body.ts'
import { closeConnections } from './closing.ts'
import { refuseOtherMethods, sendClientError, sendError } from './errors.ts'
import { pageHeaders, useApiHeaders } from './headers.ts'
import { type ApiParts, apiRoutes } from './index.ts'
import { routeLimits } from './limits.ts'
import { useOpenApi } from './openapi/routes.ts'
import { pageUrl } from './pages/page-url.ts'
import { pageRoutes } from './pages/routes.ts'
import { requestIdOf, useRequestIds } from './request-id.ts'
import { logRequests } from './request-log.ts'
import type { CertificateReloader } from './tls/certificate-reloader.ts'
import { traceRequests } from './traces.ts'
import { closeAfterIgnoredUpgrades, shouldUpgrade } from './upgrades.ts'

export interface ServerParts extends Omit<ApiParts, 'limits'> {
  log: Logger
  clock: Clock
  /** Folder of the built web pages. */
  webFolder: string
  isReady: () => Promise<boolean>
  gauges: Gauges
  requests: RequestDurations
  /** Null without TLS. */
  certificate: CertificateReloader | null
  /** Null if nothing but HTTP is served on the port. */
  multiplexer: StunMultiplexer | null
}

const URL_LIMIT_BYTES = 8 * 1024
const REQUEST_TIMEOUT_MS = 30_000
/**
 * For connections on which nothing moves, such as those of clients that do not read their answers: these would last for ever.
 * No request takes as long; a proxy gives up before.
 */
const SILENCE_TIMEOUT_MS = 5 * 60_000
const HTTP_OPTIONS = {
  requireHostHeader: false, // Node.js would answer without our headers and body
  shouldUpgradeCallback: shouldUpgrade,
}

/** Builds the HTTP server. It accepts inject(); it does not listen yet. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, version, certificate, multiplexer } = parts
  const app = fastify({
    loggerInstance: parts.log as never, // the logger type of Fastify is narrower than the one of pino
    logController: new LogController({ disableRequestLogging: true }), // http/request-log.ts logs requests
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    trustProxy: trustProxy(config),
    routerOptions: { maxParamLength: URL_LIMIT_BYTES },
    http: HTTP_OPTIONS,
    https: certificate ? { ...certificate.options, ...multiplexer?.options, ...HTTP_OPTIONS } : null,
    schemaController: { compilersFactory },
    schemaErrorFormatter: explainValidation,
    genReqId: requestIdOf,
    rewriteUrl: (request: IncomingMessage) => pageUrl(request, takeOverriddenMethod(request)),
    childLoggerFactory: (log: Logger) => log, // request-log.ts identifies the request
    frameworkErrors: sendRouterError(parts) as never,
    clientErrorHandler: sendClientError(parts.log),
    return503OnClosing: false, // requests on open connections are still answered
  } as object) as unknown as FastifyInstance

  certificate?.attach(app.server as unknown as Server)
  multiplexer?.attach(app.server as unknown as Server)
  app.setErrorHandler(sendError)
  useRequestIds(app)
  traceRequests(app, parts.tracing)
  // Node would answer 417 without our headers and body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET') delete request.headers.range // RFC 9110, section 14.2
    const wrong = wrongHeader(request)
    if (wrong) return done(wrong)
    // An unknown URL is 404 whatever its length and body. For GET, the handler of the pages decides between page and error.
    if (request.is404) done(request.method === 'GET' ? undefined : new Refusal('not_found'))
    else done(request.url.length <= URL_LIMIT_BYTES ? undefined : new Refusal('uri_too_long'))
  })
  useRelayedAddresses(app, parts.relay)
  useAuthPolicies(app)
  closeConnections(app)
  closeAfterIgnoredUpgrades(app)
  useApiHeaders(app)
  logRequests(app, parts.log)
  readBodies(app)
  const closeMethods = refuseOtherMethods(app)
  useOpenApi(app, () => ({ version, url: parts.publicUrl() }))
  const limits = routeLimits(config.Limits, parts.clock)
  useHealth(app, parts.isReady)
  const access = { token: config.Server.MetricsToken, isPublic: config.Server.MetricsPublic }
  useMetrics(app, access, parts.gauges, parts.requests)

  await app.register(apiRoutes({ ...parts, limits }))
  const headers = pageHeaders(config.Integration.FrameAncestors, config.Integration.PublicUrl)
  await app.register(pageRoutes({ folder: parts.webFolder, headers, publicUrl: parts.publicUrl }))
  closeMethods()
  return app
}

/** The refusal of a request whose headers violate HTTP/1.1 (RFC 9112, section 3.2; RFC 9110, section 10.1.1). */
function wrongHeader({ raw: { httpVersion, headers, rawHeaders } }: FastifyRequest): Refusal | null {
  if (httpVersion !== '1.1') return null
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts !== 1) return new Refusal('invalid_argument', 'A request has one header Host.')
  const expectation = headers.expect?.toLowerCase() || '100-continue'
  return expectation === '100-continue' ? null : new Refusal('expectation_failed')
}

/** Errors of the router. Without the integration module all its paths are 404, malformed ones included. */
function sendRouterError({ integration }: ServerParts): typeof sendError {
  return (error, request, reply) => {
    const isPartners = /^\/api\/v[12]\/integration\//.test(request.url)
    const isDisabled = !integration.routes && isPartners
    return sendError(isDisabled ? new Refusal('not_found') : error, request, reply)
  }
}

/** One hop: only the entry of the nearest proxy is trusted, so that clients cannot forge their address. */
function trustProxy({ Server: { TrustProxy } }: Config) {
  if (TrustProxy === 1) return (_address: string, hop: number) => hop === 0
  return TrustProxy.length > 0 ? TrustProxy : false
}
