import type { CommandData } from '@lectern/protocol/control'
import type { FastifyInstance } from 'fastify'
import { noAuth } from '../../../http/auth-policy.ts'

/** Pages of any origin may use these endpoints: the token is the right, and there are no cookies. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, if-match',
  'access-control-expose-headers': 'location, etag, link, accept-patch, retry-after',
  'access-control-max-age': '3600',
}

const ENDPOINTS = ['/conferences/:tag/whip', '/conferences/:tag/whep']
const SESSIONS = ['/whip/:id', '/whep/:id']

/** The headers of CORS in all answers, also of errors, and the answers to preflight requests. */
export function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    void reply.headers(CORS)
  })
  const options = { config: { auth: noAuth }, schema: { hide: true } }
  for (const url of [...ENDPOINTS, ...SESSIONS])
    app.options(url, options, async (_request, reply) => {
      if (ENDPOINTS.includes(url)) void reply.header('accept-post', 'application/sdp')
      return reply.code(204).send()
    })
}

type IceServer = CommandData<'media.open'>['ice_servers'][number]

/** RFC 9725, section 4.6. One link for each address. */
export const linkHeader = ({ urls, username, credential }: IceServer): string[] =>
  urls.map(url => {
    const secret =
      username === undefined || credential === undefined
        ? ''
        : `; username=${quoted(username)}; credential=${quoted(credential)}; credential-type="password"`
    return `<${url}>; rel="ice-server"${secret}`
  })

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
