import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/**
 * Answers with these bytes; asks for a piece when the one before has left, so that its memory may be used again.
 * When one cannot be read, the connection is cut: a part must not look like the whole.
 */
export async function pour(reply: FastifyReply, pieces: AsyncIterable<Buffer>): Promise<void> {
  const { raw, request } = reply.hijack() // Fastify would read ahead
  const { socket } = request.raw
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for await (const piece of pieces) if (!(await write(raw, socket, piece))) return
    raw.end()
  } catch (error) {
    request.log.error({ err: error, route: request.routeOptions.url }, 'a download broke off')
    socket.destroy()
  }
}

/** Resolves when the bytes have left, or with false when the client has gone: nobody looks at them any more. */
function write(response: ServerResponse, socket: Socket, piece: Buffer): Promise<boolean> {
  return new Promise(resolve => {
    const onClose = () => resolve(false) // Node forgets the callback of what was not on its way yet
    if (socket.destroyed) return onClose()
    socket.once('close', onClose)
    response.write(piece, error => {
      socket.off('close', onClose)
      resolve(!error)
    })
  })
}
