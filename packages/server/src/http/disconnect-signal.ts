import type { FastifyReply } from 'fastify'

/** Aborts when the client closes the connection before the response is complete. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client disconnected'))
  })
  return controller.signal
}
