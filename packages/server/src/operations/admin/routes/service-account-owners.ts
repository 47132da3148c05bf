import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminOwnerParams, Done } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { PartnerAdministration } from '../partners.ts'

const audited = (action: 'service_account.add_owner' | 'service_account.remove_owner') => ({
  action,
  target: parameter('name'),
  details: (request: FastifyRequest) => ({ owner: parameter('login')(request).toLowerCase() }),
})
const example = { path: { login: 'anna' } }

/** Owners of the technical user of a service account (docs/administration.md#owners). */
export const serviceAccountOwnerRoutes =
  ({ auth, partners }: { auth: Auth; partners: PartnerAdministration }): FastifyPluginAsyncTypebox =>
  async app => {
    app.put(
      '/service-accounts/:name/owners/:login',
      {
        config: { auth: auth.admin, audit: audited('service_account.add_owner') },
        schema: {
          operationId: 'adminAddServiceAccountOwner',
          tag: 'Administration',
          summary: 'Add an owner of a service account',
          description: 'The person acts for all service accounts of its technical user. It may be repeated.',
          errors: [
            'service_account_not_found',
            'user_not_found',
            'too_many_owners',
            'partner_module_disabled',
          ],
          example,
          params: AdminOwnerParams,
          response: { 200: Done },
        },
      },
      async ({ params: { name, login } }) => {
        await partners.parts.serviceAccounts.addOwner(name, login)
        return { result: 200 as const }
      },
    )

    app.delete(
      '/service-accounts/:name/owners/:login',
      {
        config: { auth: auth.admin, audit: audited('service_account.remove_owner') },
        schema: {
          operationId: 'adminRemoveServiceAccountOwner',
          tag: 'Administration',
          summary: 'Remove an owner of a service account',
          description: 'From the next request on, the person does not act for it. It may be repeated.',
          errors: ['service_account_not_found', 'user_not_found', 'partner_module_disabled'],
          example,
          params: AdminOwnerParams,
          response: { 200: Done },
        },
      },
      async ({ params: { name, login } }) => {
        await partners.parts.serviceAccounts.removeOwner(name, login)
        return { result: 200 as const }
      },
    )
  }
