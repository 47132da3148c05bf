import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * Logs one line for each request. It contains the route, never the URL: join links and the parameter `t` are secrets.
 * Successful requests are logged at `debug`; 503 is logged like a 4xx, because it reports overload and not a fault.
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
        request_id: request.id,
      },
      'request',
    )
    done()
  })
}
