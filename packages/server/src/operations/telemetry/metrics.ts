import { ensure } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { AuthPolicy } from '../../http/auth-policy.ts'
import { bearerToken } from '../../http/bearer.ts'
import { equalSecrets } from '../../platform/constant-time.ts'
import type { RequestDurations } from './request-durations.ts'

/** Metrics by name; they are read at every scrape. Counters grow, and begin at 0 at each start. */
export type Gauges = Record<string, { help: string; type?: 'counter'; read: () => number | Promise<number> }>

interface Access {
  /** Empty: no token is configured. */
  token: string
  isPublic: boolean
}

/** Serves Prometheus metrics at `/metrics`; `access` restricts the callers. */
export function useMetrics(
  app: FastifyInstance,
  access: Access,
  gauges: Gauges,
  durations: RequestDurations,
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, { help, type, read }] of Object.entries(gauges)) {
    const options = { name, help, registers: [registry] }
    const collect = async function (this: Gauge | Counter) {
      const value = await read()
      this.reset()
      this.inc(value)
    }
    if (type === 'counter') new Counter({ ...options, collect })
    else new Gauge({ ...options, collect })
  }
  registry.registerMetric(durations.toMetric())
  app.addHook('onResponse', (request, reply, done) => {
    // Labels contain the route, not the URL: URLs contain secrets, and their number is unbounded.
    const route = request.routeOptions.url ?? 'unknown'
    durations.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  const auth = new AuthPolicy<null>('metrics', [], request => {
    if (access.token) ensure(equalSecrets(bearerToken(request), access.token), 'unauthenticated')
    else ensure(access.isPublic || isLocal(request), 'permission_denied', LOCAL_ONLY)
    return null
  })
  app.get('/metrics', { config: { auth }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}

const LOCAL_ONLY = 'Metrics are available on this machine only, unless [Server] MetricsToken is set.'
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-real-ip',
  'via',
]

/**
 * Does not use `request.ip`, which the caller can forge where TrustProxy is too wide. A proxy on this machine connects
 * from a loopback address too, so forwarded requests do not count as local.
 */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const address = socket.remoteAddress ?? ''
  const isLoopback = ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
  return isLoopback && FORWARDING_HEADERS.every(name => headers[name] === undefined)
}
