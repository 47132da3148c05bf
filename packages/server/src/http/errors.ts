import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorBody, type ErrorCode, errorOf, Refusal } from '@lectern/protocol'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { storeFailure } from '../platform/store-failure.ts'
import { noAuth } from './auth-policy.ts'
import { API_HEADERS } from './headers.ts'
import { isAnswered } from './upgrades.ts'

type HttpRefusal = Refusal & { status: number }

const isForHttp = (refusal: Refusal): refusal is HttpRefusal => refusal.status !== undefined

const presentError = (refusal: HttpRefusal): ErrorBody => ({
  result: refusal.status,
  code: refusal.httpCode,
  message: refusal.message,
})

/** Maps the errors of Fastify to codes of the catalogue. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'invalid_argument',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_argument',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
}

/** Maps errors for HTTP (control/refusals.ts maps errors for the control channel). Any unexpected error is `internal`. */
function toRefusal(error: FastifyError | Refusal | Error): HttpRefusal {
  if (error instanceof Refusal && isForHttp(error)) return error
  const known = FASTIFY_CODES[(error as FastifyError).code] ?? storeFailure(error) ?? codeOfFile(error)
  const message =
    (error as FastifyError).code === 'FST_ERR_BAD_URL'
      ? 'The address is not valid UTF-8, percent-encoded.'
      : undefined
  return new Refusal(known ?? 'internal', message, { cause: error }) as HttpRefusal
}

/** Answers in the form of docs/errors.md, and logs the cause of a failure that is not intended. */
export function sendError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error)
  const route = request.routeOptions.url
  if (hasDisconnected(reply))
    request.log.debug(
      { route, reason: error.message, request_id: request.id },
      'client disconnected before the response',
    )
  // A refusal without a cause is intended; the request log holds its status.
  else if (refusal.status >= 500 && (refusal !== error || refusal.cause !== undefined))
    request.log.error({ err: error, route, request_id: request.id }, 'request failed')
  else if (storeFailure(error))
    request.log.warn({ err: error, request_id: request.id }, 'the store rejected a value')
  // No hook may have run, or only the hooks of the pages.
  void reply.headers(API_HEADERS).header('x-request-id', request.id)
  // RFC 9110, sections 15.5.2 and 15.5.22
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer')
  if (refusal.status === 426) void reply.headers({ upgrade: 'websocket', connection: 'upgrade' })
  const retryAfter = retryAfterSeconds(refusal)
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(presentError(refusal))
}

const retryAfterSeconds = ({ code, retryAfterMs }: Refusal): number | undefined =>
  retryAfterMs === undefined ? errorOf(code).retryAfterSeconds : Math.ceil(retryAfterMs / 1000)

/** The errors of @fastify/send: no file name, or a path outside its folder; conditions and ranges that do not hold. */
function codeOfFile({ expose, statusCode = 0 }: Error & { expose?: boolean; statusCode?: number }) {
  if (expose !== true) return undefined
  if ([400, 403, 404].includes(statusCode)) return 'not_found'
  return ({ 412: 'precondition_failed', 416: 'range_not_satisfiable' } as const)[statusCode]
}

/** The connection was closed during the request, or while it was handled. */
const hasDisconnected = ({ raw }: FastifyReply) => raw.destroyed || (raw.req.destroyed && !raw.req.complete)

/** Answers what Node's parser rejects in the form of all errors (rule API-9). There is no parsed request at this point. */
export const sendClientError =
  (log: Pick<Logger, 'info'>) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A second answer would be taken for a part of the first one, or for the answer to the next request.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswered(socket)) return void socket.destroy()
    const code: ErrorCode =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? 'headers_too_large'
        : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
          ? 'request_timeout'
          : 'invalid_argument'
    const message = code === 'invalid_argument' ? 'This is not a valid HTTP request.' : undefined
    const refusal = new Refusal(code, message) as HttpRefusal
    const body = JSON.stringify(presentError(refusal))
    const id = randomUUID()
    const headers = {
      ...API_HEADERS,
      'x-request-id': id,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end(
      [`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`, ...lines, '', body].join('\r\n'),
    )
    const about = {
      status: refusal.status,
      reason: error.code,
      address: socket.remoteAddress,
      request_id: id,
    }
    log.info(about, 'malformed request')
  }

/** A known API path with an unsupported method is answered with 405 and `Allow`, not with 404. */
export function refuseOtherMethods(app: FastifyInstance) {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', route => {
    const known = methods.get(route.url) ?? methods.set(route.url, new Set()).get(route.url)
    for (const method of [route.method].flat()) known?.add(method)
  })
  return () => {
    for (const [url, known] of [...methods]) {
      if (!url.startsWith('/api/')) continue
      const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter(
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
