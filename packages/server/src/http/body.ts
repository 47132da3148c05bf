import { parseJson, Refusal } from '@lectern/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

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
async function refuseEncodedBody({ headers }: FastifyRequest, reply: FastifyReply) {
  if (headers['content-length'] === '0') return
  for (const name of ['Content-Encoding', 'Transfer-Encoding'] as const) {
    const codings = `${headers[name.toLowerCase()] ?? ''}`.toLowerCase().split(',')
    if (codings.every(coding => PLAIN.includes(coding.trim()))) continue
    void reply.header('accept-encoding', 'identity')
    throw new Refusal('unsupported_media_type', `Send the body without ${name}.`)
  }
}

const PLAIN = ['', 'identity', 'chunked']

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
