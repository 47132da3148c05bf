import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ConferenceRequest,
  ConferenceView,
  Done,
  ensure,
  OwnConferenceListResponse,
  OwnConferenceResponse,
} from '@lectern/protocol'
import { Type } from 'typebox'
import type { Auth } from '../../../http/authentication.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import type { Directory } from '../../directory/directory.ts'
import type { OrdinaryConference } from '../../directory/ports.ts'
import { presentConference, presentOwn } from './present.ts'

interface ConferenceRoutesOptions {
  directory: Directory
  auth: Auth
  publicUrl: () => string
  limits: Limits
}

const Params = Type.Object({ tag: Type.String({ minLength: 1, maxLength: 64, format: 'text' }) })

/** Conferences of users, and the public view behind a plain link. */
export const conferenceRoutes =
  ({ auth, directory, publicUrl, limits }: ConferenceRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.user }
    const present = async (own: OrdinaryConference) =>
      presentOwn(own, await directory.isLive(own.tag), publicUrl())

    app.post(
      '/conferences',
      {
        config,
        ...limits('link'),
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'createConference',
          tag: 'Conferences',
          summary: 'Create a conference',
          description: 'Creates a conference of the signed-in user, with a link to share.',
          errors: ['permission_denied', 'rate_limited'],
          example: {
            request: { title: 'Weekly meeting' },
            response: { title: 'Weekly meeting', live: false },
          },
          body: ConferenceRequest,
          response: { 200: OwnConferenceResponse },
        },
      },
      async request => {
        const created = await directory.create(auth.user.callerOf(request), request.body)
        return { result: 200 as const, ...(await present(created)) }
      },
    )

    app.get(
      '/conferences',
      {
        config,
        schema: {
          operationId: 'listConferences',
          tag: 'Conferences',
          summary: 'List your conferences',
          description: 'Newest first, at most 1,000.',
          response: { 200: OwnConferenceListResponse },
        },
      },
      async request => {
        const own = await directory.listOf(auth.user.callerOf(request))
        const live = await directory.listLive(own)
        const conferences = own.map(each => presentOwn(each, live.has(each.tag), publicUrl()))
        return { result: 200 as const, conferences }
      },
    )

    app.get(
      '/conferences/:tag',
      {
        config: { auth: auth.none }, // the tag cannot be guessed
        ...limits('link'),
        schema: {
          operationId: 'getConference',
          tag: 'Conferences',
          summary: 'Get a conference',
          description:
            'What anyone with the link may know. It needs no token, because the tag is hard to guess.',
          errors: [
            'conference_not_found',
            'plain_link_closed',
            'room_closed',
            'room_cancelled',
            'room_not_open',
            'rate_limited',
          ],
          params: Params,
          response: { 200: ConferenceView },
        },
      },
      async ({ params }) => {
        const conference = await directory.summary(params.tag)
        ensure(conference, 'conference_not_found')
        const { entry } = conference
        ensure(entry !== 'closed', 'plain_link_closed')
        return presentConference({ ...conference, entry })
      },
    )

    app.patch(
      '/conferences/:tag',
      {
        config,
        schema: {
          operationId: 'updateConference',
          tag: 'Conferences',
          summary: 'Update your conference',
          description: 'Changes what the request contains. Only the owner may do that.',
          errors: ['conference_not_found', 'permission_denied'],
          example: { request: { title: 'Weekly meeting' }, response: { title: 'Weekly meeting' } },
          params: Params,
          body: ConferenceRequest,
          response: { 200: OwnConferenceResponse },
        },
      },
      async request => {
        const { params, body } = request
        const updated = await directory.update(auth.user.callerOf(request), params.tag, body)
        return { result: 200 as const, ...(await present(updated)) }
      },
    )

    app.delete(
      '/conferences/:tag',
      {
        config,
        schema: {
          operationId: 'deleteConference',
          tag: 'Conferences',
          summary: 'Delete your conference',
          description: 'Removes it for good and ends its session. Its tag is never used again.',
          errors: ['conference_not_found', 'permission_denied'],
          params: Params,
          response: { 200: Done },
        },
      },
      async request => {
        await directory.remove(auth.user.callerOf(request), request.params.tag)
        return { result: 200 as const }
      },
    )
  }
