import { createHash } from 'node:crypto'
import { ensure, Refusal } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock.ts'
import type { PartnerAuth } from '../routes/authentication.ts'
import type { KeyedRequest, RequestStore } from '../stores/v2/requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A request with an Idempotency-Key whose answer is to be stored. */
    keyed: KeyedRequest | null
  }
}

const KEPT_MS = 86_400_000
/** No request takes so long: the server was killed. */
const ABANDONED_MS = 60_000

/** The header in the reference. */
export const idempotencyKey = {
  'Idempotency-Key': {
    description:
      '1 to 255 printable characters, new for each action. A repetition within 24 hours gets the first answer, with the header `Idempotent-Replayed`.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '7d1f9a52-5a0c-4d5e-8a8f-0d6f5e1c2b3a',
  },
} as const

/** Answers repeated POST requests with the first answer (rule IDEMPOTENT-1). MUST be called before the routes are added. */
export function useIdempotencyKeys(
  app: FastifyInstance,
  { auth, store, clock }: { auth: PartnerAuth; store: RequestStore; clock: Clock },
): void {
  app.decorateRequest('keyed', null)

  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key']
    const policy = [auth.service, auth.serviceOrOwner].find(each => each === request.authenticated?.policy)
    if (request.method !== 'POST' || key === undefined || !policy) return
    ensure(
      typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key),
      'invalid_argument',
      'Idempotency-Key must have 1 to 255 printable characters.',
    )
    const { name, owner, clientId } = policy.callerOf(request)
    // Nobody gets the answer to a key of somebody else, which may have a secret. Names have no spaces.
    const serviceAccount = owner ? `${name} ${owner.userId}` : name
    const { external_id: room, person_external_id: person } = request.params as Record<string, string>
    const hash = createHash('sha256')
      .update(`${request.url}\n${JSON.stringify(request.body ?? null)}`)
      .digest('hex')
    const fingerprint = room === undefined ? hash : store.aboutRoom(clientId, room, person) + hash
    const keyed = { serviceAccount, key, fingerprint }
    const nowMs = clock()
    const times = { nowMs, abandonedMs: nowMs - ABANDONED_MS, expiredMs: nowMs - KEPT_MS }
    const earlier = await store.begin(keyed, times)
    if (earlier.is === 'none') {
      request.keyed = keyed
      return
    }
    // The second fingerprint is the one of versions that did not remember the room.
    ensure([fingerprint, hash].includes(earlier.fingerprint), 'idempotency_key_reused')
    if (earlier.is === 'running') throw new Refusal('idempotency_key_in_use')
    return reply
      .code(earlier.status)
      .header('idempotent-replayed', 'true')
      .type('application/json; charset=utf-8')
      .send(JSON.parse(earlier.body))
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { keyed } = request
    if (!keyed) return payload
    request.keyed = null
    // A request that failed by chance, or was too fast, may be tried again with the same key.
    const isFinal = reply.statusCode < 500 && reply.statusCode !== 429
    if (isFinal && typeof payload === 'string')
      await store.finish(keyed, { status: reply.statusCode, body: payload })
    else await store.forget(keyed)
    return payload
  })
}

/** Forgets answers that are too old to be repeated. */
export const sweepIdempotencyKeys = (store: RequestStore, clock: Clock): Promise<void> =>
  store.sweep(clock() - KEPT_MS)
