import rateLimit from '@fastify/rate-limit'
import { Refusal } from '@lectern/protocol'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Config } from '../platform/config/index.ts'
import { type Networks, networksOf, WIDE_FACTOR } from '../platform/networks.ts'
import type { Limits, Rate } from '../platform/route-limits.ts'

const MINUTE_MS = 60_000

const RATES: Record<Rate, keyof Config['Limits']> = {
  login: 'LoginPerMinute',
  refresh: 'RefreshPerMinute',
  guest: 'GuestPerMinute',
  token: 'TokenPerMinute',
  link: 'LinkPerMinute',
  control: 'ControlPerMinute',
  search: 'SearchPerMinute',
}

/**
 * Limits requests for each client address; an IPv6 address by its /64 network and by its /48, which has four times the
 * limit. MUST be registered before the routes.
 */
export async function useLimits(app: FastifyInstance, config: Config['Limits']): Promise<Limits> {
  if (!config.Enabled) return () => ({})
  await app.register(rateLimit, { global: false, cache: 20_000 })
  // The plugin's option for groups counts each route separately; a shared hook does not.
  const hooks = new Map<Rate, onRequestAsyncHookHandler>()
  for (const [rate, key] of Object.entries(RATES) as [Rate, keyof Config['Limits']][])
    hooks.set(rate, limitOf(app, Number(config[key])))
  return rate => ({ onRequest: hooks.get(rate) as onRequestAsyncHookHandler })
}

function limitOf(app: FastifyInstance, max: number): onRequestAsyncHookHandler {
  const counter = (limit: number, keyOf: (networks: Networks) => string) =>
    app.createRateLimit({
      max: limit,
      timeWindow: MINUTE_MS,
      keyGenerator: request => keyOf(networksOf(request.ip)),
    })
  const narrow = counter(max, networks => networks.narrow)
  const wide = counter(max * WIDE_FACTOR, networks => networks.wide ?? networks.narrow)
  return async request => {
    assertAllowed(await narrow(request))
    if (networksOf(request.ip).wide !== null) assertAllowed(await wide(request))
  }
}

type Count = Awaited<ReturnType<ReturnType<FastifyInstance['createRateLimit']>>>

function assertAllowed(count: Count): void {
  if (count.isAllowed || !count.isExceeded) return
  const seconds = Math.max(1, count.ttlInSeconds)
  throw new Refusal('rate_limited', `Too many requests; try again in ${seconds} s.`, {
    retryAfterMs: seconds * 1000,
  })
}
