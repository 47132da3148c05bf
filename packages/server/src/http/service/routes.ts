import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ServiceInfoResponse, type SignInMethods } from '@lectern/protocol'
import { noAuth } from '../auth-policy.ts'

interface ServiceRoutesOptions {
  version: string
  deploymentId: string
  allowGuests: boolean
  isPushEnabled: boolean
  /** Empty: there is no web push. */
  pushPublicKey: string
  jobs: {
    hasTranscriber(): boolean
    transcriptionLanguages(): string[]
    hasConverter(): boolean
    convertsOffice(): boolean
  }
  signIn: SignInMethods
  /** `[Integration] FrameAncestors`. */
  frameAncestors: string[]
}

/** Public information about the server. */
export const serviceRoutes =
  ({
    version,
    deploymentId,
    allowGuests,
    isPushEnabled,
    pushPublicKey,
    jobs,
    signIn,
    frameAncestors,
  }: ServiceRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/server_info',
      {
        config: { auth: noAuth },
        schema: {
          operationId: 'getServerInfo',
          tag: 'Service',
          summary: 'Get server information',
          description: 'Name, version and features of this server, and how people sign in.',
          example: { response: { name: 'Lectern' } },
          response: { 200: ServiceInfoResponse },
        },
      },
      async () => ({
        result: 200 as const,
        name: 'Lectern',
        version,
        deployment_id: deploymentId,
        guests_allowed: allowGuests,
        transcription_available: jobs.hasTranscriber(),
        transcription_languages: jobs.transcriptionLanguages(),
        slides_available: jobs.hasConverter(),
        office_slides_available: jobs.convertsOffice(),
        push_enabled: isPushEnabled,
        push_vapid_public_key: pushPublicKey,
        sign_in: signIn,
        frame_ancestors: frameAncestors.length > 0 ? frameAncestors : ["'self'"],
      }),
    )
  }
