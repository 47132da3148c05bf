import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export const CONTROL_PATH = '/api/v1.0/control'

/** An upgrade waits up to 6 s for its server (rule RELAY-4). */
const ANSWER_TIMEOUT_MS = 20_000

const responses = new WeakMap<Socket, ServerResponse>()

/** Whether the request on the connection is being answered, or was before it was complete. */
export function isAnswered(socket: Socket): boolean {
  const response = responses.get(socket)
  return response?.headersSent === true && !(response.writableFinished && response.req.complete)
}

/**
 * Whether the connection leaves HTTP: only for a WebSocket of the control channel, and not before the requests ahead of it
 * are answered. The server serves other requests as if they had no `Upgrade` (rule W16).
 */
export const shouldUpgrade = ({ method, url, httpVersion, headers, socket }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersion === '1.1' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  url?.split('?', 1)[0] === CONTROL_PATH &&
  responses.get(socket)?.closed !== false

/** Node.js drops what arrives together with a request whose `Upgrade` it ignores, so the connection is not used again. */
export function closeAfterIgnoredUpgrades(app: FastifyInstance): void {
  app.server.prependListener('request', (request, response) => {
    responses.set(request.socket, response)
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close')
  })
}

/**
 * Connections that have left HTTP are read by nobody until they are a WebSocket or passed on, both of which lift the time
 * limit. A refusal ends them. Returns the bytes that arrived together with an upgrade request.
 */
export function followUpgrades(app: FastifyInstance): (message: IncomingMessage) => Buffer {
  const heads = new WeakMap<IncomingMessage, Buffer>()
  app.server.prependListener('upgrade', (message: IncomingMessage, socket: Socket, head: Buffer) => {
    heads.set(message, head)
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy())
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const options = reply.hasHeader('upgrade') ? 'close, upgrade' : 'close'
    if (heads.has(request.raw) || reply.raw.getHeader('connection') === 'close')
      void reply.header('connection', options)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (heads.has(request.raw)) request.raw.socket.destroySoon()
    done()
  })
  return message => heads.get(message) ?? Buffer.alloc(0)
}
