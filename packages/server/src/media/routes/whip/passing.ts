import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRelayed } from '../../../control/routes/relay.ts'
import { tagOfSession } from '../../whip/session-id.ts'

/** Passes requests on to the server of the cluster that runs the session of a conference. */
export interface RequestPassing {
  /** Null when the request belongs here. Throws a Refusal. */
  pass(
    tag: string,
    request: {
      method: string
      path: string
      headers: Record<string, string>
      body: string | undefined
      address: string
    },
  ): Promise<{ status: number; headers: Record<string, string | string[]>; body: string } | null>
}

/** The part of a request that handlers of WHIP and WHEP read, and the ids that find it in logs. */
const HEADERS = ['authorization', 'content-type', 'if-match', 'user-agent'] as const

/** Any server is an entry point (rule WHIP-8): handlers run where the session runs. */
export function passToOwners(app: FastifyInstance, owners: RequestPassing | null): void {
  if (!owners) return
  app.addHook('preHandler', async (request, reply) => {
    const tag = tagOf(request)
    const { method, url: path, body, ip: address } = request
    const isReadable = typeof body === 'string' || body === undefined || body === null
    if (tag === null || !isReadable || isRelayed(request) || method === 'OPTIONS') return
    const passed = { method, path, headers: headersOf(request), body: body ?? undefined, address }
    const answer = await owners.pass(tag, passed)
    if (answer) return reply.code(answer.status).headers(answer.headers).send(answer.body)
  })
}

function tagOf({ params }: FastifyRequest): string | null {
  const { tag, id } = params as { tag?: string; id?: string }
  return tag ?? (id === undefined ? null : tagOfSession(id))
}

function headersOf({ headers, id }: FastifyRequest): Record<string, string> {
  const found = HEADERS.flatMap(name => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(found), 'x-request-id': id }
}
