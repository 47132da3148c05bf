import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  ConferenceRequest,
  ConferenceView,
  ensure,
  OwnConferenceListResponse,
  OwnConferenceResponse,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Sessions } from '../../accounts/sessions.ts'
import type { Directory } from '../../directory/directory.ts'
import type { OrdinaryConference } from '../../directory/ports.ts'
import { bearerToken } from '../bearer.ts'
import { bodyIsOptional } from '../body.ts'
import type { Limits } from '../limits.ts'
import { docs } from '../openapi.ts'
import { presentConference, presentOwn } from './present.ts'

interface Parts {
  directory: Directory
  sessions: Sessions
  publicUrl: () => string
  limits: Limits
}

const about = docs('Conferences')
const Params = Type.Object({ tag: Type.String({ minLength: 1, maxLength: 64, format: 'text' }) })

/** Conferences of users, and what the page of a plain room link shows before anybody signs in. */
export const conferenceRoutes =
  ({ directory, sessions, publicUrl, limits }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    const caller = (request: FastifyRequest) => sessions.authenticate(bearerToken(request))
    const present = async (own: OrdinaryConference) =>
      presentOwn(own, await directory.isLive(own.tag), publicUrl())

    app.post(
      '/conferences',
      {
        ...limits('link'),
        preValidation: bodyIsOptional,
        schema: {
          ...about('Create a conference', 'user'),
          body: ConferenceRequest,
          response: { 200: OwnConferenceResponse },
        },
      },
      async request => {
        const { title = '', entry } = request.body
        const made = await directory.create(await caller(request), title, entry)
        return { result: 200 as const, ...(await present(made)) }
      },
    )

    app.get(
      '/conferences',
      { schema: { ...about('List your conferences', 'user'), response: { 200: OwnConferenceListResponse } } },
      async request => {
        const own = await directory.listOf(await caller(request))
        return { result: 200 as const, conferences: await Promise.all(own.map(present)) }
      },
    )

    app.get(
      '/conferences/:tag',
      {
        ...limits('link'),
        schema: {
          ...about('Get a conference', 'none'), // the tag is hard to guess
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
        schema: {
          ...about('Update your conference', 'user'),
          params: Params,
          body: ConferenceRequest,
          response: { 200: OwnConferenceResponse },
        },
      },
      async request => {
        const { params, body } = request
        const updated = await directory.update(await caller(request), params.tag, body)
        return { result: 200 as const, ...(await present(updated)) }
      },
    )

    app.delete(
      '/conferences/:tag',
      {
        schema: {
          ...about('Delete your conference', 'user'),
          params: Params,
          response: { 200: Type.Object({ result: Type.Literal(200) }) },
        },
      },
      async request => {
        await directory.remove(await caller(request), request.params.tag)
        return { result: 200 as const }
      },
    )
  }
