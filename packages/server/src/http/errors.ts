import type { Socket } from 'node:net'
import { type ErrorBody, type ErrorCode, errorOf, Refusal } from '@lectern/protocol'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storeFailure } from '../store-failure.ts'
import { noAuth } from './auth-policy.ts'
import { API_HEADERS } from './headers.ts'

type HttpRefusal = Refusal & { status: number }

const isForHttp = (refusal: Refusal): refusal is HttpRefusal => refusal.status !== undefined

const presentError = (refusal: HttpRefusal): ErrorBody => ({
  result: refusal.status,
  code: refusal.httpCode,
  message: refusal.message,
})

/** What Fastify refuses by itself, in the codes of the catalogue. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'invalid_argument',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_argument',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
}

/** The first of the two mappings of refusals (the other is control/refusals.ts). Anything unexpected is `internal`. */
function toRefusal(error: FastifyError | Refusal | Error): HttpRefusal {
  if (error instanceof Refusal && isForHttp(error)) return error
  const known =
    FASTIFY_CODES[(error as FastifyError).code] ??
    storeFailure(error) ??
    (isNoFile(error) ? 'not_found' : undefined)
  const says =
    (error as FastifyError).code === 'FST_ERR_BAD_URL'
      ? 'The address is not valid UTF-8, percent-encoded.'
      : undefined
  return new Refusal(known ?? 'internal', says, { cause: error }) as HttpRefusal
}

export function sendError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error)
  const route = request.routeOptions.url
  if (hasLeft(reply)) request.log.debug({ route, reason: error.message }, 'the client left before its answer')
  // A refusal without a cause was meant; the log of requests has its status.
  else if (refusal.status >= 500 && (refusal !== error || refusal.cause !== undefined))
    request.log.error({ err: error, route }, 'request failed')
  else if (storeFailure(error)) request.log.warn({ err: error }, 'the store rejected a value')
  void reply.headers(API_HEADERS) // also where no hook has run, and where a page was meant
  if (refusal.code === 'unauthenticated' || refusal.code === 'token_expired')
    void reply.header('www-authenticate', 'Bearer')
  const retryAfter = retryAfterSeconds(refusal)
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(presentError(refusal))
}

const retryAfterSeconds = ({ code, retryAfterMs }: Refusal): number | undefined =>
  retryAfterMs === undefined ? errorOf(code).retryAfterSeconds : Math.ceil(retryAfterMs / 1000)

/** What @fastify/send says of a path that leads out of its folder, or to no name of a file. */
const isNoFile = (error: Error & { expose?: boolean; statusCode?: number }) =>
  error.expose === true && [400, 403, 404].includes(error.statusCode ?? 0)

/** The connection was closed in the middle of the request, or while it was worked on. */
const hasLeft = ({ raw }: FastifyReply) => raw.destroyed || (raw.req.destroyed && !raw.req.complete)

/** Answers what is not even HTTP, in the same shape. Nothing of the request is known here. */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'invalid_argument'
  const says = code === 'invalid_argument' ? 'This is not a valid HTTP request.' : undefined
  const body = JSON.stringify(presentError(new Refusal(code, says) as HttpRefusal))
  socket.end(
    [
      `HTTP/1.1 ${errorOf(code).status} Refused`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** A known path of an API with the wrong method answers 405 and names the right ones, instead of 404. */
export function refuseOtherMethods(app: FastifyInstance) {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', route => {
    const known = methods.get(route.url) ?? methods.set(route.url, new Set()).get(route.url)
    for (const method of [route.method].flat()) known?.add(method)
  })
  return () => {
    for (const [url, known] of [...methods]) {
      if (!url.startsWith('/api/')) continue
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        method => !known.has(method),
      )
      const allow = [...known].join(', ')
      app.route({
        method: others,
        url,
        config: { auth: noAuth },
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          void reply.header('allow', allow)
          throw new Refusal('method_not_allowed')
        },
        handler: () => {},
      })
    }
  }
}
