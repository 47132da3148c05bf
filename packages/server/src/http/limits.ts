import rateLimit from '@fastify/rate-limit'
import { Refusal } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/index.ts'

const RATES = {
  login: 'LoginPerMinute',
  refresh: 'RefreshPerMinute',
  guest: 'GuestPerMinute',
  token: 'TokenPerMinute',
  link: 'LinkPerMinute',
} as const satisfies Record<string, keyof Config['Limits']>

type Rate = keyof typeof RATES

/** Part of a route's options; routes with the same rate share one count for each address. */
export type Limits = (rate: Rate) => { config?: { rateLimit: object } }

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
  return rate => ({
    config: { rateLimit: { max: config[RATES[rate]], timeWindow: 60_000, groupId: rate } },
  })
}
