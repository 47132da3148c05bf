import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminServiceAccount,
  AdminServiceAccountChangeRequest,
  AdminServiceAccountCreatedResponse,
  AdminServiceAccountCreateRequest,
  AdminServiceAccountListResponse,
  AdminServiceAccountQuery,
  AdminServiceAccountResponse,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { UserStore } from '../../../accounts/stores/users.ts'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import type { ServiceAccount } from '../../../partners/ports.ts'
import { readNamePage, searchOf } from '../../../platform/paging.ts'
import type { PartnerAdministration } from '../partners.ts'
import { NameParams } from './common.ts'

interface AdminServiceAccountRoutesOptions {
  auth: Auth
  users: Pick<UserStore, 'find'>
  partners: PartnerAdministration
}

export const serviceAccountRoutes =
  ({ auth, users, partners }: AdminServiceAccountRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const present = async (account: ServiceAccount): Promise<AdminServiceAccount> => ({
      name: account.name,
      user_id: account.clientId,
      login: (await users.find(account.clientId))?.login ?? null,
      scopes: account.scopes,
      enabled: account.enabled,
      keep_days: await partners.parts.serviceAccounts.keepDays(account),
      owners: await partners.parts.serviceAccounts.owners(account),
      created_at: account.createdAt,
    })

    app.get(
      '/service-accounts',
      {
        config,
        schema: {
          operationId: 'adminListServiceAccounts',
          tag: 'Administration',
          summary: 'List service accounts',
          description: 'In the order of their names, in pages.',
          errors: ['partner_module_disabled'],
          querystring: AdminServiceAccountQuery,
          response: { 200: AdminServiceAccountListResponse },
        },
      },
      async ({ query }) => {
        const filter = { search: searchOf(query) }
        const { lists } = partners.parts
        const { rows, next } = await readNamePage(query, page => lists.serviceAccounts(filter, page))
        return { result: 200 as const, service_accounts: await Promise.all(rows.map(present)), next }
      },
    )

    app.post(
      '/service-accounts',
      {
        config: {
          ...config,
          audit: {
            action: 'service_account.create',
            target: ({ body }: FastifyRequest) => (body as AdminServiceAccountCreateRequest).name,
            details: ({ body }: FastifyRequest) => {
              const { login, scopes, create_user } = body as AdminServiceAccountCreateRequest
              return { login, scopes, ...(create_user && { create_user }) }
            },
          },
        },
        schema: {
          operationId: 'adminCreateServiceAccount',
          tag: 'Administration',
          summary: 'Create a service account',
          description:
            'The `client_secret` is shown only here; the server stores a hash. `create_user` creates the technical user, too.',
          errors: ['service_account_exists', 'login_taken', 'user_not_found', 'partner_module_disabled'],
          body: AdminServiceAccountCreateRequest,
          response: { 200: AdminServiceAccountCreatedResponse },
        },
      },
      async ({ body: { name, login, scopes, create_user: createUser = false } }) => {
        const { serviceAccounts } = partners.parts
        const { account, clientSecret } = await serviceAccounts.add(name, login, scopes, { createUser })
        return { result: 200 as const, ...(await present(account)), client_secret: clientSecret }
      },
    )

    app.get(
      '/service-accounts/:name',
      {
        config,
        schema: {
          operationId: 'adminGetServiceAccount',
          tag: 'Administration',
          summary: 'Get a service account',
          description: 'An account of a partner backend.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          response: { 200: AdminServiceAccountResponse },
        },
      },
      async ({ params }) => {
        const account = await partners.findServiceAccount(params.name)
        return { result: 200 as const, ...(await present(account)) }
      },
    )

    app.patch(
      '/service-accounts/:name',
      {
        config: {
          ...config,
          audit: {
            action: 'service_account.change',
            target: parameter('name'),
            details: ({ body }: FastifyRequest) => {
              const { enabled, scopes, keep_days } = body as Static<typeof AdminServiceAccountChangeRequest>
              return {
                ...(enabled !== undefined && { enabled }),
                ...(scopes && { scopes }),
                ...(keep_days !== undefined && { keep_days }),
              }
            },
          },
        },
        schema: {
          operationId: 'adminUpdateServiceAccount',
          tag: 'Administration',
          summary: 'Change a service account',
          description: 'Enables or disables it, replaces its scopes, or says how long recordings are kept.',
          errors: ['service_account_not_found', 'partner_module_disabled'],
          params: NameParams,
          body: AdminServiceAccountChangeRequest,
          response: { 200: AdminServiceAccountResponse },
        },
      },
      async ({ params, body: { keep_days: keepDays, ...changes } }) => ({
        result: 200 as const,
        ...(await present(await partners.parts.serviceAccounts.set(params.name, { ...changes, keepDays }))),
      }),
    )
  }
