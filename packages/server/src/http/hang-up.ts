import type { FastifyReply } from 'fastify'

/** Aborted when the client closes the connection before it has the answer. */
export function hangUpSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client hung up'))
  })
  return controller.signal
}
