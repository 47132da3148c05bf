import { errorOf, Refusal } from '@lectern/protocol'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { noAuth } from '../../../http/auth-policy.ts'
import type { Limits } from '../../../platform/route-limits.ts'
import { shape } from '../../../platform/shape.ts'
import type { Platform } from '../../stores/lti/platforms.ts'
import type { Launches } from '../launches.ts'
import type { Lessons } from '../lessons.ts'
import { type PageData, pageHeaders, renderPage } from '../pages/page.ts'
import type { Registrations } from '../registrations.ts'
import type { ToolKey } from '../tool-key.ts'

export interface LtiRoutesParts {
  launches: Launches
  lessons: Lessons
  registrations: Registrations
  key: ToolKey
  /** Pages that may embed the room, and so the pages of a launch. */
  frameAncestors: readonly string[]
  publicUrl: () => string
}

const Address = Type.String({ minLength: 1, maxLength: 2048, format: 'text' })
const Hint = Type.Optional(Type.String({ maxLength: 4096 }))
const readLogin = shape(
  'login',
  Type.Object({
    iss: Address,
    login_hint: Type.String({ maxLength: 4096 }),
    lti_message_hint: Hint,
    client_id: Type.Optional(Address),
    lti_storage_target: Type.Optional(Type.String({ maxLength: 255, format: 'text' })),
  }),
)
const readAnswer = shape('launch', Type.Object({ state: Address, id_token: Type.String({ minLength: 1 }) }))
const readEntry = shape(
  'launch',
  Type.Object({
    state: Address,
    binding: Address,
    title: Type.String({ maxLength: 500 }),
  }),
)
const readRegistration = shape(
  'registration',
  Type.Object({ token: Address, openid_configuration: Address, registration_token: Hint }),
)

const keyOf = (state: string) => `lectern-${state}`

/** The routes that platforms and their pages call, below `/lti` (docs/lti.md). */
export const ltiRoutes =
  (parts: LtiRoutesParts, limits: Limits): FastifyPluginAsync =>
  async app => {
    const { launches, lessons, registrations, key, frameAncestors, publicUrl } = parts
    const options = { config: { auth: noAuth }, schema: { hide: true }, ...limits('link') }
    // Platforms send forms.
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )

    const send = (request: FastifyRequest, reply: FastifyReply, data: PageData, platform?: Platform) =>
      reply
        .headers(pageHeaders(ancestorsOf(frameAncestors, platform)))
        .send(renderPage(data, request.headers['accept-language']))

    /** Answers with a page in place of an error that a browser would show as JSON. */
    const page =
      (handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) =>
      async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          return await handle(request, reply)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          void reply.code(errorOf(error.code).status ?? 400)
          return send(request, reply, { is: 'failed', message: error.message })
        }
      }

    const login = (read: (request: FastifyRequest) => unknown) =>
      page(async (request, reply) => {
        const fields = readLogin(read(request))
        const { platform, state, binding, authorizationUrl } = await launches.begin({
          issuer: fields.iss,
          loginHint: fields.login_hint,
          messageHint: fields.lti_message_hint,
          ltiClientId: fields.client_id,
          storageTarget: fields.lti_storage_target,
        })
        const { lti_storage_target: storageTarget = null, ...again } = fields
        const data = {
          is: 'start' as const,
          key: keyOf(state),
          binding,
          storageTarget,
          platformOrigin: new URL(platform.authorizationUrl).origin,
          authorizationUrl,
          newWindowUrl: `${publicUrl()}/lti/login?${new URLSearchParams(again)}`,
        }
        return send(request, reply, data, platform)
      })
    app.get(
      '/login',
      options,
      login(({ query }) => query),
    )
    app.post(
      '/login',
      options,
      login(({ body }) => body),
    )

    app.post(
      '/launch',
      options,
      page(async (request, reply) => {
        const { state, id_token } = readAnswer(request.body)
        const { platform, launch, storageTarget } = await launches.answer(state, id_token)
        const data = {
          is: launch.target.is === 'resource' ? ('enter' as const) : ('choose' as const),
          key: keyOf(state),
          state,
          storageTarget,
          platformOrigin: new URL(platform.authorizationUrl).origin,
          enterUrl: `${publicUrl()}/lti/enter`,
          title: launch.title,
        }
        return send(request, reply, data, platform)
      }),
    )

    app.post('/enter', options, async request => {
      const { state, binding, title } = readEntry(request.body)
      const { platform, launch } = await launches.finish(state, binding)
      return lessons.open(platform, launch, title)
    })

    app.get(
      '/register',
      options,
      page(async (request, reply) => {
        const { token, openid_configuration, registration_token } = readRegistration(request.query)
        await registrations.register({
          invitation: token,
          configurationUrl: openid_configuration,
          registrationToken: registration_token,
        })
        return send(request, reply, { is: 'registered' })
      }),
    )

    app.get('/jwks', options, async () => key.publicKeys())
  }

const ancestorsOf = (configured: readonly string[], platform: Platform | undefined): string[] => {
  const own = platform ? [platform.issuer, platform.authorizationUrl] : []
  return [
    ...new Set([...configured, ...own.filter(each => URL.canParse(each)).map(each => new URL(each).origin)]),
  ]
}
