import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_EVERY_MS = 50
const ANSWER_WITHIN_MS = 10_000

/**
 * While the server closes, what is under way is answered, and every other connection is cut. Node waits for
 * connections that have asked nothing yet, and for those that fall idle after it began to close.
 */
export function closeConnections(app: FastifyInstance, isTls: boolean) {
  const silent = new Set<Socket>()
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', request => silent.delete(request.socket))
  app.server.on('upgrade', request => silent.delete(request.socket)) // the control channel closes its own

  app.addHook('preClose', done => {
    for (const socket of silent) socket.destroy()
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_EVERY_MS)
    const deadline = setTimeout(() => app.server.closeAllConnections(), ANSWER_WITHIN_MS)
    app.server.once('close', () => {
      clearInterval(sweep)
      clearTimeout(deadline)
    })
    done()
  })
}
