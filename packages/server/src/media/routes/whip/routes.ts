import { DISPLAY_NAME_MAX, ensure, RowId } from '@lectern/protocol'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { Type } from 'typebox'
import { noAuth } from '../../../http/auth-policy.ts'
import { bearerToken } from '../../../http/bearer.ts'
import type { Operation } from '../../../http/openapi/operation.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import { OFFER_LIMITS } from '../../sdp/description.ts'
import { checkFragment } from '../../sdp/fragment.ts'
import type { Answered, HttpSessions } from '../../whip/http-sessions.ts'
import { allowOtherOrigins, linkHeader } from './headers.ts'
import { operations } from './operations.ts'
import { passToOwners, type RequestPassing } from './passing.ts'

interface WhipRoutesOptions {
  whip: () => Promise<HttpSessions>
  /** Null without a cluster. */
  passing: RequestPassing | null
  limits: Limits
}

type Kind = 'whip' | 'whep'

const SDP = 'application/sdp'
const FRAGMENT = 'application/trickle-ice-sdpfrag'

const Tag = Type.Object({ tag: Type.String({ minLength: 1, maxLength: 64, format: 'text' }) })
const Id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }) })
const Publisher = Type.Object({
  display_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: DISPLAY_NAME_MAX, description: 'The name that others see.' }),
  ),
})
const PlayerQuery = Type.Object({
  ...Publisher.properties,
  user_id: Type.Optional(Type.String({ ...RowId, description: 'Whom to play; absent: whoever speaks.' })),
  video: Type.Optional(
    Type.Enum(['camera', 'screen'], { description: 'Only this; absent: a shared screen, else the camera.' }),
  ),
})

/** WHIP (RFC 9725) and WHEP: any WebRTC stack publishes and plays with HTTP requests (docs/whip-whep.md). */
export const whipRoutes =
  ({ whip, passing, limits }: WhipRoutesOptions): FastifyPluginAsync =>
  async app => {
    app.addContentTypeParser(
      [SDP, FRAGMENT],
      { parseAs: 'string', bodyLimit: OFFER_LIMITS.characters },
      (_request, body, done) => done(null, body),
    )
    allowOtherOrigins(app)
    passToOwners(app, passing)

    app.post<{ Params: { tag: string }; Querystring: { display_name?: string } }>(
      '/conferences/:tag/whip',
      options(limits('guest'), operations.publish, { params: Tag, querystring: Publisher }),
      async (request, reply) => {
        const answered = await (await whip()).publish(sessionRequest(request))
        return created(reply, 'whip', answered)
      },
    )

    app.post<{
      Params: { tag: string }
      Querystring: { display_name?: string; user_id?: string; video?: 'camera' | 'screen' }
    }>(
      '/conferences/:tag/whep',
      options(limits('guest'), operations.play, { params: Tag, querystring: PlayerQuery }),
      async (request, reply) => {
        const { user_id: userId, video } = request.query
        const answered = await (await whip()).play(sessionRequest(request), { userId, video })
        return created(reply, 'whep', answered)
      },
    )

    for (const kind of ['whip', 'whep'] as const) {
      app.delete<{ Params: { id: string } }>(
        `/${kind}/:id`,
        options(limits('link'), operations[kind].end, { params: Id }),
        async request => {
          await (await whip()).close(kind, request.params.id, bearerToken(request))
          return { result: 200 }
        },
      )

      app.patch<{ Params: { id: string }; Body: unknown }>(
        `/${kind}/:id`,
        options(limits('link'), operations[kind].patch, { params: Id }),
        async (request, reply) => {
          const bearer = bearerToken(request)
          const { id } = request.params
          checkFragment(textOf(request, FRAGMENT))
          const match = request.headers['if-match']
          ensure(match !== undefined, 'precondition_required')
          if (match !== '*') {
            await (await whip()).acceptCandidates(kind, id, bearer, match)
            return reply.code(204).send()
          }
          const { etag, fragment } = await (await whip()).restartIce(kind, id, bearer)
          return reply.header('etag', etag).type(FRAGMENT).send(fragment)
        },
      )
    }
  }

/** The token of a request may be a link's, so that the handler authenticates it. */
const options = (
  limit: ReturnType<Limits>,
  operation: Operation,
  schema: { params: object; querystring?: object },
): RouteShorthandOptions => ({
  config: { auth: noAuth },
  ...limit,
  schema: { ...operation, ...schema },
})

function sessionRequest(
  request: FastifyRequest<{ Params: { tag: string }; Querystring: { display_name?: string } }>,
) {
  const bearer = bearerToken(request)
  const { params, query, ip: address } = request
  return {
    tag: params.tag,
    bearer,
    address,
    sdp: textOf(request, SDP),
    displayName: query.display_name,
  }
}

function textOf({ body, headers }: FastifyRequest, type: string): string {
  const isOfType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() === type
  ensure(typeof body === 'string' && isOfType, 'unsupported_media_type', `Send the body as ${type}.`)
  return body
}

/** RFC 9725, section 4.2; the ICE servers as in section 4.6. */
function created(reply: FastifyReply, kind: Kind, { id, answer, etag, iceServers }: Answered) {
  const links = iceServers.flatMap(linkHeader)
  if (links.length > 0) void reply.header('link', links)
  return reply
    .code(201)
    .header('location', `/api/v1.0/${kind}/${id}`)
    .header('etag', etag)
    .header('accept-patch', FRAGMENT)
    .type(SDP)
    .send(answer)
}
