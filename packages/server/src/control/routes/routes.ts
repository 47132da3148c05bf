import type { Socket as NetSocket } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import { ensure, Refusal } from '@lectern/protocol'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { noAuth } from '../../http/auth-policy.ts'
import { followUpgrades } from '../../http/upgrades.ts'
import type { Limits } from '../../platform/route-limits.ts'
import { TAG } from '../../platform/tag.ts'
import type { SpanOptions, Tracing } from '../../platform/tracing.ts'
import type { ControlServer } from '../control-server.ts'
import { MAX_PAYLOAD_BYTES } from '../limits/constants.ts'
import { socketOf } from '../socket/websocket.ts'
import { type ControlRelay, isRelayed, regionOf } from './relay.ts'

interface ControlRoutesOptions {
  control: ControlServer
  limits: Limits
  /** Address of the pages, if it is another than the one that browsers connect to. */
  publicUrl: string
  /** Null without a cluster. */
  relay: ControlRelay | null
  tracing: Tracing
}

const SUBPROTOCOL = 'svc.control'
/** Names the conference that the connection is for (rule RELAY-1). */
const HINT = 'room.'
const OFFERED_MAX = 8

/** `GET /control`: the WebSocket of browsers and workers (docs/control-protocol.md#transport). */
export const controlRoutes =
  ({ control, limits, publicUrl, relay, tracing }: ControlRoutesOptions): FastifyPluginAsync =>
  async app => {
    const headOf = followUpgrades(app)
    await app.register(fastifyWebsocket, {
      options: {
        maxPayload: MAX_PAYLOAD_BYTES,
        perMessageDeflate: false, // costs 300 kB for each connection, and frames are small
        skipUTF8Validation: true, // rule F2 has its own close code
        handleProtocols: () => SUBPROTOCOL,
      },
      errorHandler: (error, socket, { log, id }) => {
        const about = { err: error, request_id: id }
        // Errors that a client causes, e.g. by too large a frame, have a code, and ws closes the socket itself.
        if ('code' in error) return log.debug(about, 'a control connection broke')
        log.error(about, 'a control connection failed')
        socket.terminate()
      },
      preClose: done => {
        control.drain()
        relay?.stop()
        done()
      },
    })
    app.route({
      method: 'GET',
      url: '/control',
      config: { auth: noAuth }, // the first frame holds the token
      schema: { hide: true },
      ...limits('control'),
      preValidation: (request, reply) =>
        tracing.run('control upgrade', spanOf(request), async () => {
          ensure(request.ws, 'upgrade_required')
          assertHandshake(request, reply)
          const tag = hintOf(request)
          const isOurs = isRelayed(request) || isOurPage(request, publicUrl)
          ensure(isOurs, 'permission_denied', 'Pages of this origin may not connect.')
          if (relay && tag !== null && !isRelayed(request)) {
            const { raw: message, ip: address } = request
            const isPassedOn = await relay.pass(tag, { message, head: headOf(message), address })
            if (isPassedOn) return reply.hijack()
          }
          control.ensureCapacity(request.ip)
        }),
      handler: () => {
        throw new Refusal('upgrade_required')
      },
      wsHandler: (socket: WebSocket, request: FastifyRequest) => {
        const events = control.accept(
          socketOf(socket, request.raw.socket as NetSocket, regionOf(request)),
          request.ip,
        )
        socket.on('message', (data, isBinary) => events.onFrame(isBinary ? null : (data as Buffer)))
        socket.on('ping', () => events.onPing())
        socket.on('pong', () => events.onPing())
        socket.on('close', code => events.onClose(code))
      },
    })
  }

/** Upgrades have no response, at which http/traces.ts ends the spans of other requests. */
const spanOf = (request: FastifyRequest): SpanOptions => ({
  kind: 'server',
  attributes: { 'lectern.request_id': request.id, 'lectern.relayed': isRelayed(request) },
  traceparent: request.headers.traceparent,
})

const VERSIONS = ['13', '8']
const KEY = /^[A-Za-z\d+/]{22}==$/
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** ws would answer without our headers and body (RFC 6455, section 4.2.1). */
function assertHandshake({ headers }: FastifyRequest, reply: FastifyReply): void {
  const version = headers['sec-websocket-version'] ?? ''
  if (!VERSIONS.includes(version)) {
    void reply.header('sec-websocket-version', VERSIONS.join(', '))
    throw new Refusal('upgrade_required', `The version of the WebSocket must be ${VERSIONS[0]}.`)
  }
  ensure(KEY.test(headers['sec-websocket-key'] ?? ''), 'invalid_argument', 'Sec-WebSocket-Key is not valid.')
  const offered = (headers['sec-websocket-protocol'] ?? SUBPROTOCOL).split(',').map(name => name.trim())
  const isList = offered.every(name => TOKEN.test(name)) && new Set(offered).size === offered.length
  ensure(isList, 'invalid_argument', 'Sec-WebSocket-Protocol is not a list of different names.')
}

/** The tag of the conference that the connection is for, if the client names one. */
function hintOf({ headers }: FastifyRequest): string | null {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',', OFFERED_MAX).map(name => name.trim())
  ensure(offered.includes(SUBPROTOCOL), 'invalid_argument', `The subprotocol must be ${SUBPROTOCOL}.`)
  const tag = offered.find(name => name.startsWith(HINT))?.slice(HINT.length)
  return tag !== undefined && TAG.test(tag) ? tag : null
}

/** Browsers name the page that connects; programs name none. */
function isOurPage({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const { origin } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false // among them "null", of pages without an origin
  const page = new URL(origin)
  return page.host === host || (publicUrl !== '' && page.origin === new URL(publicUrl).origin)
}
