import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

/**
 * Sends the bytes as the body of the response. Requests the next chunk when the previous one is flushed, so that the
 * source may reuse its buffer. If a chunk cannot be read, the connection is closed: a truncated body MUST NOT look complete.
 */
export async function streamBody(reply: FastifyReply, chunks: AsyncIterable<Buffer>): Promise<void> {
  const { raw, request } = reply.hijack() // Fastify would read ahead
  const { socket } = request.raw
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for await (const chunk of chunks) if (!(await write(raw, socket, chunk))) return
    raw.end()
  } catch (error) {
    const about = { err: error, route: request.routeOptions.url, request_id: request.id }
    request.log.error(about, 'download aborted: the stored file could not be read')
    socket.destroy()
  }
}

/** Resolves with true when the chunk is flushed, with false when the client has disconnected. */
function write(response: ServerResponse, socket: Socket, chunk: Buffer): Promise<boolean> {
  return new Promise(resolve => {
    const onClose = () => resolve(false) // Node.js never calls the callback of a write that was still queued
    if (socket.destroyed) return onClose()
    socket.once('close', onClose)
    response.write(chunk, error => {
      socket.off('close', onClose)
      resolve(!error)
    })
  })
}
