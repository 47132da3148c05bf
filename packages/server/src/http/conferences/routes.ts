import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ConferenceView, ensure } from '@lectern/protocol'
import { Type } from 'typebox'
import type { ConferenceSummary, Integration } from '../../hooks.ts'
import type { Limits } from '../limits.ts'
import { docs } from '../openapi.ts'

interface Parts {
  integration: Integration
  limits: Limits
}

const about = docs('Conferences')
const Params = Type.Object({ tag: Type.String({ minLength: 1, maxLength: 64, format: 'text' }) })

/** What the page of a plain room link shows before anybody signs in. The tag is hard to guess. */
export const conferenceRoutes =
  ({ integration, limits }: Parts): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/conferences/:tag',
      {
        ...limits('link'),
        schema: {
          ...about('Look at a conference', 'none'),
          params: Params,
          response: { 200: ConferenceView },
        },
      },
      async ({ params }) => {
        const conference = await integration.findConference(params.tag)
        ensure(conference, 'conference_not_found')
        return presentConference(conference)
      },
    )
  }

const presentConference = ({ tag, title, startsAt, endsAt, live }: ConferenceSummary): ConferenceView => ({
  result: 200,
  tag,
  title,
  starts_at: startsAt,
  ends_at: endsAt,
  live,
})
