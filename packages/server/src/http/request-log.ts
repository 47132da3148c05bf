import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * One line for each request. It names the route, never the address: join links and the `t` parameter are
 * secrets that stand in addresses. Ordinary requests are logged at `debug`, 503 as the other refusals: it says "not now".
 */
export function logRequests(app: FastifyInstance, log: Logger) {
  app.addHook('onResponse', (request, reply, done) => {
    const level =
      reply.statusCode >= 500 && reply.statusCode !== 503
        ? 'error'
        : reply.statusCode >= 400
          ? 'info'
          : 'debug'
    if (!log.isLevelEnabled(level)) return done()
    log[level](
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
      },
      'request',
    )
    done()
  })
}
