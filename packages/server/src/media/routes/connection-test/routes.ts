import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ConnectionTestResponse } from '@lectern/protocol'
import { noAuth } from '../../../http/auth-policy.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { ConnectionProbe } from '../../ports.ts'
import { presentProbe } from './present.ts'

/** Opens a probe that a browser tries to connect to. Further ones are queued, until `signal` aborts. */
export interface Prober {
  open(address: string, signal: AbortSignal): Promise<ConnectionProbe>
}

interface ConnectionTestRoutesOptions {
  probes: Prober
  limits: Limits
}

/** Lets a page test before joining whether media reaches the server. */
export const connectionTestRoutes =
  ({ probes, limits }: ConnectionTestRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.post(
      '/connection-test',
      {
        config: { auth: noAuth },
        ...limits('link'),
        schema: {
          operationId: 'testConnection',
          tag: 'Service',
          summary: 'Test the connection',
          description:
            'Opens an ICE-lite endpoint for some seconds that answers connectivity checks of a browser and nothing else. Tests wait for their turn for up to 12 s.',
          errors: ['temporarily_unavailable', 'rate_limited'],
          response: { 200: ConnectionTestResponse },
        },
      },
      async ({ ip }, reply) => {
        const disconnected = new AbortController()
        reply.raw.once('close', () => disconnected.abort())
        return { result: 200 as const, ...presentProbe(await probes.open(ip, disconnected.signal)) }
      },
    )
  }
