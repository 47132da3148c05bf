import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ConnectionTestResponse, type ProbeView } from '@lectern/protocol'
import { noAuth } from '../auth-policy.ts'
import type { Limits } from '../limits.ts'
import { docs } from '../openapi.ts'

/** Opens something that a browser can try to reach. Many at a time wait for their turn, unless `signal` ends that. */
export interface Prober {
  open(address: string, signal: AbortSignal): Promise<ProbeView>
}

interface Parts {
  probes: Prober
  limits: Limits
}

/** For pages that want to know, before anybody joins, whether media would get through. */
export const connectionTestRoutes =
  ({ probes, limits }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    app.post(
      '/connection-test',
      {
        config: { auth: noAuth },
        ...limits('link'),
        schema: { ...docs('Service')('Test the connection'), response: { 200: ConnectionTestResponse } },
      },
      async ({ ip }, reply) => {
        const gone = new AbortController()
        reply.raw.once('close', () => gone.abort())
        return { result: 200 as const, ...(await probes.open(ip, gone.signal)) }
      },
    )
  }
