import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ConnectionTestResponse, type ProbeView } from '@lectern/protocol'
import type { Limits } from '../limits.ts'
import { docs } from '../openapi.ts'

/** Opens something that a browser can try to reach; no address gets many at a time. */
export interface Prober {
  open(address: string): Promise<ProbeView>
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
        ...limits('link'),
        schema: { ...docs('Service')('Test the connection'), response: { 200: ConnectionTestResponse } },
      },
      async ({ ip }) => ({ result: 200 as const, ...(await probes.open(ip)) }),
    )
  }
