import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Done, MemberListResponse, MemberRequest, MemberResponse, RowId } from '@lectern/protocol'
import { Type } from 'typebox'
import type { Member, Members } from '../../messaging/members.ts'
import type { Limits } from '../../route-limits.ts'
import type { Auth } from '../authentication.ts'

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
