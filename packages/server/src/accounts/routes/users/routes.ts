import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ensure, SEARCH_MAX, UserSearchQuery, UserSearchResponse } from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import type { ContactStore } from '../../../messaging/stores/contacts.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import { isUser } from '../../eligible.ts'

interface UserRoutesOptions {
  contacts: Pick<ContactStore, 'search'>
  /** Whether users find each other without knowing the exact login. */
  hasDirectory: boolean
  auth: Auth
  limits: Limits
}

/** The directory of users, where the operator has opened it (rule MSG-29). */
export const userRoutes =
  ({ contacts, hasDirectory, auth, limits }: UserRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/users',
      {
        config: { auth: auth.user },
        ...limits('search'),
        schema: {
          operationId: 'searchUsers',
          tag: 'Accounts',
          summary: 'Search for users',
          description:
            'Users whose login, or a word of whose name, begins with the text, at most 20, if the operator has turned the directory on.',
          errors: ['permission_denied', 'rate_limited'],
          querystring: UserSearchQuery,
          response: { 200: UserSearchResponse },
        },
      },
      async request => {
        const caller = auth.user.callerOf(request)
        ensure(hasDirectory && isUser(caller), 'permission_denied', 'This server has no directory of users.')
        const search = request.query.search.trim()
        ensure(search !== '', 'invalid_argument', 'search must not be blank.')
        const found = await contacts.search(caller.id, search, SEARCH_MAX)
        const users = found.map(({ userId, login, displayName }) => ({
          user_id: userId,
          login,
          display_name: displayName,
        }))
        return { result: 200 as const, users }
      },
    )
  }
