import rateLimit from '@fastify/rate-limit'
import { Refusal } from '@lectern/protocol'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import type { Config } from '../config/index.ts'

const RATES = {
  login: 'LoginPerMinute',
  refresh: 'RefreshPerMinute',
  guest: 'GuestPerMinute',
  token: 'TokenPerMinute',
  link: 'LinkPerMinute',
  control: 'ControlPerMinute',
} as const satisfies Record<string, keyof Config['Limits']>

type Rate = keyof typeof RATES

/** Part of a route's options; routes with the same rate share one count for each address. */
export type Limits = (rate: Rate) => { onRequest?: onRequestAsyncHookHandler }

/** Counts for each client address, an IPv6 one by its /64 network. Must be registered before the routes. */
export async function useLimits(app: FastifyInstance, config: Config['Limits']): Promise<Limits> {
  if (!config.Enabled) return () => ({})
  await app.register(rateLimit, {
    global: false,
    ipv6Subnet: 64,
    cache: 20_000,
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal('rate_limited', `Too many requests; try again in ${Math.ceil(ttl / 1000)} s.`),
  })
  // The plugin's own option for groups counts each route by itself; one hook for all routes does not.
  const hooks = new Map<Rate, onRequestAsyncHookHandler>()
  for (const [rate, key] of Object.entries(RATES) as [Rate, keyof Config['Limits']][])
    hooks.set(rate, app.rateLimit({ max: Number(config[key]), timeWindow: 60_000 }))
  return rate => ({ onRequest: hooks.get(rate) as onRequestAsyncHookHandler })
}
