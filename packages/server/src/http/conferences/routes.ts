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
import type { Directory } from '../../directory/directory.ts'
import type { OrdinaryConference } from '../../directory/ports.ts'
import type { Limits } from '../../route-limits.ts'
import type { Auth } from '../authentication.ts'
import { bodyIsOptional } from '../body.ts'
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
          body: ConferenceRequest,
          response: { 200: OwnConferenceResponse },
        },
      },
      async request => {
        const { title = '', entry } = request.body
        const created = await directory.create(auth.user.callerOf(request), title, entry)
        return { result: 200 as const, ...(await present(created)) }
      },
    )

    app.get(
      '/conferences',
      { config, schema: { operationId: 'listConferences', response: { 200: OwnConferenceListResponse } } },
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
        config: { auth: auth.none },
        ...limits('link'),
        schema: {
          operationId: 'getConference', // public: the tag cannot be guessed
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
