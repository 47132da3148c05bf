import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_INTERVAL_MS = 50
const DRAIN_TIMEOUT_MS = 10_000

/**
 * While the server closes, requests in flight are answered and all other connections are closed. Without this, Node.js
 * waits for connections that have not sent a request yet, and for those that become idle later. After the timeout none is
 * left open, whatever it is used for.
 */
export function closeConnections(app: FastifyInstance) {
  const sockets = new Set<Socket>()
  /** Those without a request, by peer: with TLS, a request names another socket than the one that was accepted. */
  const unused = new Map<string, Socket>()
  app.server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    sockets.add(socket)
    unused.set(peer, socket)
    socket.once('close', () => {
      sockets.delete(socket)
      if (unused.get(peer) === socket) unused.delete(peer)
    })
  })
  const use = ({ socket }: IncomingMessage) => unused.delete(peerOf(socket))
  app.server.on('request', use)
  app.server.on('upgrade', use) // the control channel closes its own sockets

  app.addHook('preClose', done => {
    for (const socket of unused.values()) socket.destroy()
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_INTERVAL_MS)
    const deadline = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, DRAIN_TIMEOUT_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(deadline)
    })
    done()
  })
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
