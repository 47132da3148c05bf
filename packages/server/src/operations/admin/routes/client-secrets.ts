import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ClientSecretResponse, ClientSecretRotateRequest, NewClientSecretResponse } from '@lectern/protocol'
import { bodyFields, parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import { presentClientSecret } from '../../../partners/client-secrets.ts'
import type { PartnerAdministration } from '../partners.ts'
import { NameParams } from './common.ts'

/** The client secret of a service account, and the one before while it is being replaced. */
export const clientSecretRoutes =
  ({ auth, partners }: { auth: Auth; partners: PartnerAdministration }): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const present = async (name: string) =>
      presentClientSecret(name, await partners.parts.serviceAccounts.previousUntil(name))

    app.get(
      '/service-accounts/:name/client-secret',
      {
        config,
        schema: {
          operationId: 'adminGetClientSecret',
          tag: 'Administration',
          summary: 'Get the state of a client secret',
          description: 'Whether the one before is still valid. The secrets themselves are never shown again.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          response: { 200: ClientSecretResponse },
        },
      },
      ({ params }) => present(params.name),
    )

    app.post(
      '/service-accounts/:name/client-secret/rotate',
      {
        preValidation: bodyIsOptional,
        config: {
          ...config,
          audit: {
            action: 'service_account.rotate',
            target: parameter('name'),
            details: bodyFields('overlap_seconds'),
          },
        },
        schema: {
          operationId: 'adminRotateClientSecret',
          tag: 'Administration',
          summary: 'Replace the client secret of a service account',
          description:
            'Returns the new one, once. Until the end of the overlap both give tokens; the tokens of the one before end with it.',
          errors: ['service_account_not_found', 'rotation_in_progress', 'partner_module_disabled'],
          params: NameParams,
          body: ClientSecretRotateRequest,
          response: { 200: NewClientSecretResponse },
        },
      },
      async ({ params: { name }, body }) => {
        const { serviceAccounts } = partners.parts
        const { clientSecret } = await serviceAccounts.rotate(name, body.overlap_seconds)
        return { ...(await present(name)), client_secret: clientSecret }
      },
    )

    app.post(
      '/service-accounts/:name/client-secret/rotate/finish',
      {
        config: {
          ...config,
          audit: { action: 'service_account.finish_rotation', target: parameter('name') },
        },
        schema: {
          operationId: 'adminFinishClientSecretRotation',
          tag: 'Administration',
          summary: 'Revoke the previous client secret',
          description: 'It gives no tokens from now on, and its tokens are refused. It may be repeated.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          response: { 200: ClientSecretResponse },
        },
      },
      async ({ params: { name } }) => {
        await partners.parts.serviceAccounts.finishRotation(name)
        return present(name)
      },
    )
  }
