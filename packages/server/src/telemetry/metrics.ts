import { ensure } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { equalSecrets } from '../constant-time.ts'
import { bearerToken } from '../http/bearer.ts'

/** Numbers that are read when somebody asks for them, by the name of the metric. */
export type Readings = Record<string, { help: string; read: () => number | Promise<number> }>

interface Access {
  /** Empty: none is set. */
  token: string
  isPublic: boolean
}

/** Prometheus metrics at `/metrics`, for whom `access` says. */
export function useMetrics(app: FastifyInstance, access: Access, readings: Readings) {
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
    if (access.token) ensure(equalSecrets(bearerToken(request), access.token), 'unauthenticated')
    else ensure(access.isPublic || isOfThisMachine(request), 'permission_denied', FOR_THIS_MACHINE)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const FOR_THIS_MACHINE = 'Metrics are for this machine only, unless [Server] MetricsToken is set.'
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
]

/**
 * Not by `request.ip`, which the caller may choose where TrustProxy is wide. A proxy on this machine comes from a loopback
 * address, too, so nothing that was forwarded counts.
 */
function isOfThisMachine({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? ''
  const isLoopback = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
  return isLoopback && FORWARDED.every(name => headers[name] === undefined)
}
