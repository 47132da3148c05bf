import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done, MemberListResponse, MemberRequest, MemberResponse, RowId } from '@lectern/protocol'
import { Type } from 'typebox'
import type { Auth } from '../../../http/authentication.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Member, Members } from '../../members.ts'

interface MemberRoutesOptions {
  members: Members
  auth: Auth
  limits: Limits
}

const Tag = Type.String({ minLength: 1, maxLength: 64, format: 'text' })
const Conference = Type.Object({ tag: Tag })
// Parts of a path are texts: nothing is converted.
const OneMember = Type.Object({ tag: Tag, user_id: RowId })

const present = ({ userId, displayName, isOwner, isInvited }: Member) => ({
  user_id: userId,
  display_name: displayName,
  owner: isOwner,
  invited: isInvited,
})

/** The members of the conversation of a conference (docs/messaging.md). */
export const memberRoutes =
  ({ members, auth, limits }: MemberRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }

    app.get(
      '/conferences/:tag/members',
      {
        config,
        schema: {
          operationId: 'listMembers',
          tag: 'Conferences',
          summary: 'List the members of a conference',
          description: 'The members of its conversation, by name. For members.',
          errors: ['conference_not_found', 'permission_denied'],
          params: Conference,
          response: { 200: MemberListResponse },
        },
      },
      async request => {
        const listed = await members.list(auth.user.callerOf(request), request.params.tag)
        return { result: 200 as const, members: listed.map(present) }
      },
    )

    app.post(
      '/conferences/:tag/members',
      {
        config,
        ...limits('search'),
        schema: {
          operationId: 'addMember',
          tag: 'Conferences',
          summary: 'Invite a member to your conference',
          description:
            'The body has either `login` or `user_id`. The person becomes a member by joining the conference or writing there. Inviting a member again changes nothing; somebody who has left cannot be invited.',
          errors: [
            'conference_not_found',
            'not_reachable',
            'permission_denied',
            'too_many_members',
            'rate_limited',
          ],
          example: {
            request: { login: 'ben' },
            response: { user_id: 8, display_name: 'Ben Adams', owner: false, invited: true },
          },
          params: Conference,
          body: MemberRequest,
          response: { 200: MemberResponse },
        },
      },
      async request => {
        const { params, body } = request
        const added = await members.invite(auth.user.callerOf(request), params.tag, body)
        return { result: 200 as const, ...present(added) }
      },
    )

    app.delete(
      '/conferences/:tag/members/:user_id',
      {
        config,
        schema: {
          operationId: 'removeMember',
          tag: 'Conferences',
          summary: 'Remove a member from your conference, or leave one',
          description: 'For the owner and for the member. The owner stays a member.',
          errors: ['conference_not_found', 'permission_denied'],
          params: OneMember,
          response: { 200: Done },
        },
      },
      async request => {
        const { tag, user_id } = request.params
        await members.remove(auth.user.callerOf(request), tag, Number(user_id))
        return { result: 200 as const }
      },
    )
  }
