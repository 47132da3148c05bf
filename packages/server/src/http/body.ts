import { parseJson, Refusal } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'

export const BODY_LIMIT_BYTES = 64 * 1024
/** Far above what any request of the API has. */
const LIMITS = { depth: 64, values: 4_096 }

/** Accepts strict JSON only (rules API-2 and API-3). An empty body is accepted with any content type. */
export function readBodies(app: FastifyInstance) {
  app.addHook('preParsing', refuseEncodedBody)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: FastifyRequest, body: Buffer) =>
      body.length === 0 ? undefined : parseJson(decode(body), LIMITS),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) => {
    if (body.length > 0) throw new Refusal('unsupported_media_type')
  })
}

/** Bodies of requests are small or compressed already, and an unpacked one would have no known size. */
const refuseEncodedBody: preParsingHookHandler = ({ headers }, reply, body, done) => {
  const isEmpty = headers['content-length'] === '0'
  const encoded = isEmpty ? undefined : CODING_HEADERS.find(name => isEncoded(headers[name.toLowerCase()]))
  if (encoded === undefined) return done(null, body)
  void reply.header('accept-encoding', 'identity')
  done(new Refusal('unsupported_media_type', `Send the body without ${encoded}.`))
}

const CODING_HEADERS = ['Content-Encoding', 'Transfer-Encoding']
const PLAIN = ['', 'identity', 'chunked']
const isEncoded = (codings: string | string[] = '') =>
  codings !== '' &&
  !`${codings}`
    .toLowerCase()
    .split(',')
    .every(coding => PLAIN.includes(coding.trim()))

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw new Refusal('invalid_json', 'The body is not valid UTF-8.', { cause })
  }
}

/** For routes with an optional body. An explicit `null` is a body, and is validated. */
export const bodyIsOptional = async (request: FastifyRequest) => {
  if (request.body === undefined) request.body = {}
}
