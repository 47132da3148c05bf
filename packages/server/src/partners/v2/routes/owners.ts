import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ClientSecretResponse, ClientSecretRotateRequest, NewClientSecretResponse } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { bodyFields } from '../../../http/audit-rule.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import { type ClientSecrets, presentClientSecret } from '../../client-secrets.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'

interface OwnerRoutesOptions {
  auth: PartnerAuth
  secrets: ClientSecrets
  limits: ToolLimits
}

const tag = 'Owners'

/** Actions that only owners of a technical user have (docs/partner-api-v2.md#owners). */
export const ownerRoutes =
  ({ auth: { owner: auth }, secrets, limits }: OwnerRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const nameOf = (request: FastifyRequest) => auth.callerOf(request).name
    const present = async (name: string) => presentClientSecret(name, await secrets.previousUntil(name))

    app.get(
      '/client-secret',
      {
        config: { auth },
        schema: {
          operationId: 'getClientSecret',
          tag,
          summary: 'Get the state of the client secret',
          description: 'Whether the one before is still valid. The secrets themselves are never shown again.',
          response: { 200: ClientSecretResponse },
        },
      },
      request => present(nameOf(request)),
    )

    app.post(
      '/client-secret/rotate',
      {
        preValidation: bodyIsOptional,
        config: {
          auth,
          audit: { action: 'service_account.rotate', target: nameOf, details: bodyFields('overlap_seconds') },
        },
        schema: {
          operationId: 'rotateClientSecret',
          tag,
          summary: 'Replace the client secret',
          description:
            'Returns the new one, once. Until the end of the overlap both give tokens; the tokens of the one before end with it.',
          errors: ['rotation_in_progress', 'rate_limited'],
          body: ClientSecretRotateRequest,
          response: { 200: NewClientSecretResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.rotate)
        const { clientSecret } = await secrets.rotate(caller.name, request.body.overlap_seconds)
        return { ...(await present(caller.name)), client_secret: clientSecret }
      },
    )

    app.post(
      '/client-secret/rotate/finish',
      {
        config: { auth, audit: { action: 'service_account.finish_rotation', target: nameOf } },
        schema: {
          operationId: 'finishClientSecretRotation',
          tag,
          summary: 'Revoke the previous client secret',
          description: 'It gives no tokens from now on, and its tokens are refused. It may be repeated.',
          response: { 200: ClientSecretResponse },
        },
      },
      async request => {
        await secrets.finish(nameOf(request))
        return present(nameOf(request))
      },
    )
  }
