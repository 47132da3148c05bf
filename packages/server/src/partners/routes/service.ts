import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ServerInfoResponse } from '@lectern/protocol'
import type { AuthPolicy } from '../../http/auth-policy.ts'
import { presentServerInfo } from '../present.ts'
import type { Caller } from '../service-accounts.ts'

interface ServerInfoRoutesOptions {
  auth: AuthPolicy<Caller>
  version: string
  hasTranscriber: () => Promise<boolean>
}

/** Server information (docs/partner-api.md#server-information). */
export const serverInfoRoutes =
  ({ auth, version, hasTranscriber }: ServerInfoRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/server_info',
      {
        config: { auth },
        schema: {
          operationId: 'getPartnerServerInfo',
          tag: 'Partner service',
          summary: 'Get server information',
          description:
            'The version of the server, and the features of the API. `webhooks.transcription_ready` is among them if a transcriber is configured.',
          response: { 200: ServerInfoResponse },
        },
      },
      async () => presentServerInfo(version, await hasTranscriber()),
    )
  }
