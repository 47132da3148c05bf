import { ensure } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { equalSecrets } from '../constant-time.ts'
import { bearerToken } from '../http/bearer.ts'

/** Numbers that are read when somebody asks for them, by the name of the metric. */
export type Readings = Record<string, { help: string; read: () => number | Promise<number> }>

/** Prometheus metrics at `/metrics`; with a token, only for who sends it. */
export function useMetrics(app: FastifyInstance, token: string, readings: Readings) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, { help, read }] of Object.entries(readings))
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read())
      },
    })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The route, not the address: addresses hold links, and there is no end of them.
    const route = request.routeOptions.url ?? 'unknown'
    requests.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token) ensure(equalSecrets(bearerToken(request), token), 'unauthenticated')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
