import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_INTERVAL_MS = 50
const DRAIN_TIMEOUT_MS = 10_000

/**
 * While the server closes, requests in flight are answered and all other connections are closed. Without this, Node.js
 * waits for connections that have not sent a request yet, and for those that become idle later.
 */
export function closeConnections(app: FastifyInstance, isTls: boolean) {
  const unused = new Set<Socket>()
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', request => unused.delete(request.socket))
  app.server.on('upgrade', request => unused.delete(request.socket)) // the control channel closes its own sockets

  app.addHook('preClose', done => {
    for (const socket of unused) socket.destroy()
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_INTERVAL_MS)
    const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(deadline)
    })
    done()
  })
}
