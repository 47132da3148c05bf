import { withTimeout } from '@lectern/common'
import { ensure } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { AuthPolicy } from '../../http/auth-policy.ts'
import { bearerToken } from '../../http/bearer.ts'
import { equalSecrets } from '../../platform/constant-time.ts'
import type { RequestDurations } from './request-durations.ts'

/** Read at every scrape. Counters grow, and begin at 0 at each start. */
type Metric = { help: string; type?: 'counter' } & (
  | { label?: never; read: () => number | Promise<number> }
  /** One for each value of the label, of which there must be few. */
  | { label: string; read: () => ReadonlyMap<string, number> }
)

/** By name. */
export type Gauges = Record<string, Metric>

interface Access {
  /** Empty: no token is configured. */
  token: string
  isPublic: boolean
}

/** The name in the conventions of Prometheus: with the program first, and counters with their suffix. */
const metricName = (name: string, type?: 'counter'): string => {
  const prefixed = name.startsWith('lectern_') ? name : `lectern_${name}`
  return type !== 'counter' || prefixed.endsWith('_total') ? prefixed : `${prefixed}_total`
}

/** Both names of a metric are collected at the same time. */
function sharedWhilePending<T>(read: () => T | Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null
  return () => {
    pending ??= Promise.resolve()
      .then(read)
      .finally(() => {
        pending = null
      })
    return pending
  }
}

/** Prometheus waits for 10 s, and takes the program for dead then. */
const READ_TIMEOUT_MS = 5_000

const timedOut = () => new Error('the metric could not be read in time')

/** Serves Prometheus metrics at `/metrics`, without those that cannot be read now; `access` restricts the callers. */
export function useMetrics(
  app: FastifyInstance,
  access: Access,
  gauges: Gauges,
  durations: RequestDurations,
) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, { help, type, label, read }] of Object.entries(gauges)) {
    const readOnce = sharedWhilePending<number | ReadonlyMap<string, number>>(read)
    const collect = async function (this: Gauge | Counter) {
      // Such as those of a database that does not answer, when all others are needed most.
      const value = await withTimeout(readOnce(), READ_TIMEOUT_MS, timedOut).catch(() => null)
      this.reset()
      if (typeof value === 'number') this.inc(value)
      else if (value !== null)
        for (const [labelled, count] of value) this.inc({ [label ?? '']: labelled }, count)
      else if (!label) this.remove() // a reset one is 0
    }
    const add = (options: { name: string; help: string }) => {
      const common = { ...options, collect, labelNames: label ? [label] : [], registers: [registry] }
      return type === 'counter' ? new Counter(common) : new Gauge(common)
    }
    const current = metricName(name, type)
    add({ name: current, help })
    if (name !== current) add({ name, help: `Former name of ${current}, for one release.` })
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
