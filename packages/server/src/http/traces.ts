import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../platform/tracing.ts'
import { CONTROL_PATH } from './upgrades.ts'

/**
 * Those that are asked every few seconds and say nothing about the service, and the control channel, which traces its
 * upgrades itself: they have no response.
 */
const UNTRACED = new Set(['/metrics', '/healthz', '/readyz', CONTROL_PATH])

/** A span for each request, of which what the request causes is a part. MUST come before other hooks. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const route = request.routeOptions.url ?? 'unknown'
    if (UNTRACED.has(route)) return done()
    const span = tracing.start(`${method} ${route}`, {
      kind: 'server',
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'lectern.request_id': request.id,
      },
      traceparent: headers.traceparent,
    })
    spans.set(request, span)
    tracing.within(span, done)
  })
  // The body arrives in events of the socket, which have lost the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) tracing.within(span, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.fail(String(reply.statusCode))
    span?.end()
    done()
  })
  // The client was gone before the response.
  app.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.fail('aborted')
    spans.get(request)?.end()
    done()
  })
}
