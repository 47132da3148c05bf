import { ensure } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'

/** The token of `Authorization: Bearer …` (RFC 6750). Throws `unauthenticated`. */
export function bearerToken(request: FastifyRequest): string {
  const token = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  ensure(token, 'unauthenticated')
  return token
}
