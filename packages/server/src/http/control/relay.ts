import type { IncomingMessage } from 'node:http'
import { Refusal } from '@lectern/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Passes control connections on to other servers of the cluster (docs/control-protocol.md#several-servers). */
export interface ControlRelay {
  /** The header in which another server vouches for the address of a client. */
  readonly header: string
  /** The address of the client; null for a header that is not genuine. */
  verify(header: string): string | null
  /** False when the connection belongs here. Throws a Refusal. */
  pass(tag: string, request: { message: IncomingMessage; head: Buffer; address: string }): Promise<boolean>
  /** Closes all connections that are passed on. */
  stop(): void
}

const relayed = new WeakSet<FastifyRequest>()

/** Whether another server has passed the request on: it has checked the origin, and it is not passed on again. */
export const isRelayed = (request: FastifyRequest): boolean => relayed.has(request)

/** Limits and logs see the address of the client, not of the server that passed the request on. MUST come before them. */
export function useRelayedAddresses(app: FastifyInstance, relay: ControlRelay | null): void {
  if (!relay) return
  app.addHook('onRequest', (request, _reply, done) => {
    const header = request.headers[relay.header]
    if (header === undefined) return done()
    const address = typeof header === 'string' ? relay.verify(header) : null
    if (address === null) return done(new Refusal('permission_denied'))
    Object.defineProperty(request, 'ip', { value: address })
    relayed.add(request)
    done()
  })
}

/** Bytes that arrived together with an upgrade request. */
export function rememberHeads(app: FastifyInstance): (message: IncomingMessage) => Buffer {
  const heads = new WeakMap<IncomingMessage, Buffer>()
  app.server.prependListener('upgrade', (message: IncomingMessage, _socket: unknown, head: Buffer) => {
    heads.set(message, head)
  })
  return message => heads.get(message) ?? Buffer.alloc(0)
}
