import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminInvitationResponse,
  AdminUserChangeRequest,
  AdminUserCreatedResponse,
  AdminUserCreateRequest,
  AdminUserListResponse,
  AdminUserQuery,
  AdminUserResponse,
  cleanDisplayName,
  Done,
  ensure,
  RowId,
} from '@lectern/protocol'
import { Type } from 'typebox'
import type { User } from '../../../accounts/ports.ts'
import { parameter, setAuditTarget } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readPage, searchOf } from '../../../platform/paging.ts'
import type { UserAdminService } from '../../operator/users.ts'
import { presentUser } from '../present-user.ts'

interface AdminUserRoutesOptions {
  auth: Auth
  /** The absolute URL of an invitation. */
  invitationUrl: (token: string) => string
  users: UserAdminService
}

const UserParams = Type.Object({ user_id: RowId })
const target = parameter('user_id')

export const userRoutes =
  ({ auth, users, invitationUrl }: AdminUserRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/users',
      {
        config,
        schema: {
          operationId: 'adminListUsers',
          tag: 'Administration',
          summary: 'List users',
          description: 'All accounts, newest first, in pages.',
          querystring: AdminUserQuery,
          response: { 200: AdminUserListResponse },
        },
      },
      async ({ query }) => {
        const { kind, state } = query
        const filter = { search: searchOf(query), kind, state }
        const { rows, next } = await readPage(
          query,
          page => users.page(filter, page),
          ({ id }) => id,
        )
        return { result: 200 as const, users: rows.map(presentUser), next }
      },
    )

    app.post(
      '/users',
      {
        config: {
          ...config,
          audit: {
            action: 'user.create',
            target: ({ body }) => (body as AdminUserCreateRequest).login.toLowerCase(),
            details: ({ body }) => detailsOf(body as AdminUserCreateRequest),
          },
        },
        schema: {
          operationId: 'adminCreateUser',
          tag: 'Administration',
          summary: 'Create a user',
          description:
            'With `invite` the response has a link with which the person sets the password; without it and without `password` it has a generated password. Both are shown only here.',
          errors: ['login_taken'],
          example: { response: { password: null } },
          body: AdminUserCreateRequest,
          response: { 200: AdminUserCreatedResponse },
        },
      },
      async ({ body }) => {
        const { user, password = null, token } = await createUser(users, body)
        const invitation_url = token === undefined ? null : invitationUrl(token)
        return { result: 200 as const, ...presentUser(user), password, invitation_url }
      },
    )

    app.get(
      '/users/:user_id',
      {
        config,
        schema: {
          operationId: 'adminGetUser',
          tag: 'Administration',
          summary: 'Get a user',
          description: 'An account, with the number of its valid sign-ins.',
          errors: ['user_not_found'],
          params: UserParams,
          response: { 200: AdminUserResponse },
        },
      },
      async ({ params }) => present(await users.get(Number(params.user_id))),
    )

    app.patch(
      '/users/:user_id',
      {
        config: {
          ...config,
          audit: {
            action: 'user.change',
            target,
            details: ({ body }) => detailsOf(body as AdminUserChangeRequest),
          },
        },
        schema: {
          operationId: 'adminUpdateUser',
          tag: 'Administration',
          summary: 'Change a user',
          description:
            'A new password and `disabled: true` end all sign-ins. The last administrator keeps the capability admin.',
          errors: ['user_not_found', 'last_administrator'],
          params: UserParams,
          body: AdminUserChangeRequest,
          response: { 200: AdminUserResponse },
        },
      },
      async request => {
        const { display_name: name, ...settings } = request.body
        const user = await users.set(Number(request.params.user_id), { name, ...settings })
        setAuditTarget(request, user.login)
        return present(user)
      },
    )

    app.post(
      '/users/:user_id/invitation',
      {
        config: { ...config, audit: { action: 'user.invite', target } },
        schema: {
          operationId: 'adminInviteUser',
          tag: 'Administration',
          summary: 'Invite a user to set a password',
          description:
            'Returns a new link, shown only here; earlier links of the account are not valid any more.',
          errors: ['user_not_found'],
          params: UserParams,
          response: { 200: AdminInvitationResponse },
        },
      },
      async request => {
        const { user, token, expiresAt } = await users.invite(Number(request.params.user_id))
        setAuditTarget(request, user.login)
        return { result: 200 as const, invitation_url: invitationUrl(token), expires_at: expiresAt }
      },
    )

    app.delete(
      '/users/:user_id',
      {
        config: { ...config, audit: { action: 'user.delete', target } },
        schema: {
          operationId: 'adminDeleteUser',
          tag: 'Administration',
          summary: 'Delete a user',
          description: 'Deletes the account for good; its login stays reserved.',
          errors: ['user_not_found', 'last_administrator'],
          params: UserParams,
          response: { 200: Done },
        },
      },
      async request => {
        setAuditTarget(request, (await users.remove(Number(request.params.user_id))).login)
        return { result: 200 as const }
      },
    )

    app.delete(
      '/users/:user_id/sign-ins',
      {
        config: { ...config, audit: { action: 'user.end_sign_ins', target } },
        schema: {
          operationId: 'adminEndSignIns',
          tag: 'Administration',
          summary: 'End all sign-ins of a user',
          description: 'Takes effect at once.',
          errors: ['user_not_found'],
          params: UserParams,
          response: { 200: Done },
        },
      },
      async request => {
        setAuditTarget(request, (await users.endSignIns(Number(request.params.user_id))).login)
        return { result: 200 as const }
      },
    )

    const present = async (user: User) => ({
      result: 200 as const,
      ...presentUser(user),
      sign_ins: await users.countSignIns(user),
    })
  }

type CreatedUser = { user: User; password?: string; token?: string }

/** Invites the person, sets the given password, or generates one. `token` belongs to the invitation. */
function createUser(
  users: UserAdminService,
  { login, display_name, invite, ...settings }: AdminUserCreateRequest,
): Promise<CreatedUser> {
  const name = cleanDisplayName(display_name ?? '') || undefined
  if (!invite) return users.add(login, { name, ...settings })
  const { kind, password, email, capabilities } = settings
  const isOrdinary = password === undefined && (kind ?? 'ordinary') === 'ordinary'
  ensure(isOrdinary, 'invalid_argument', 'Only an ordinary account without a password is invited.')
  return users.inviteNew(login, { name, email, capabilities })
}

/** For the audit log: passwords and mail addresses are named, never shown. */
function detailsOf({ password, email, ...request }: AdminUserCreateRequest | AdminUserChangeRequest) {
  const { display_name, capabilities, ...others } = request as AdminUserCreateRequest & AdminUserChangeRequest
  return {
    ...('kind' in others && { kind: others.kind }),
    ...('invite' in others && { invite: others.invite }),
    ...('disabled' in others && { disabled: others.disabled }),
    ...(display_name !== undefined && { display_name }),
    ...(capabilities && { capabilities }),
    ...(email !== undefined && { email: email === '' ? 'removed' : 'set' }),
    ...(password !== undefined && { password: 'set' }),
  }
}
