import type { IncomingMessage } from 'node:http'
import { Refusal } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Passes control connections on to other servers of the cluster (docs/control-protocol.md#several-servers). */
export interface ControlRelay {
  /** The header in which another server vouches for the address of a client. */
  readonly header: string
  /** The client and the region of its server; null for a header that is not genuine. */
  verify(header: string): { address: string; region: string } | null
  /** False when the connection belongs here. Throws a Refusal. */
  pass(tag: string, request: { message: IncomingMessage; head: Buffer; address: string }): Promise<boolean>
  /** Closes all connections that are passed on. */
  stop(): void
}

/** The region of the server that has passed it on. */
const relayed = new WeakMap<FastifyRequest, string>()

/** Whether another server has passed the request on: it has checked the origin, and it is not passed on again. */
export const isRelayed = (request: FastifyRequest): boolean => relayed.has(request)

/** The region of the server that has passed the request on; absent without one. */
export const regionOf = (request: FastifyRequest): string | undefined => relayed.get(request) || undefined

/** Limits and logs see the address of the client, not of the server that passed the request on. MUST come before them. */
export function useRelayedAddresses(app: FastifyInstance, relay: ControlRelay | null): void {
  if (!relay) return
  app.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers[relay.header]
    if (header === undefined) return done()
    const client = typeof header === 'string' ? relay.verify(header) : null
    if (client === null) return done(new Refusal('permission_denied'))
    Object.defineProperty(request, 'ip', { value: client.address })
    relayed.set(request, client.region)
    done()
  })
}
