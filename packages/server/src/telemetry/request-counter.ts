import type { FastifyInstance } from 'fastify'

/** Counts answered requests. */
export class RequestCounter {
  requests = 0
  /** Answered with 5xx. */
  failures = 0

  count(app: FastifyInstance): void {
    app.addHook('onResponse', (_request, reply, done) => {
      this.requests += 1
      if (reply.statusCode >= 500) this.failures += 1
      done()
    })
  }
}
