import { ensure } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'

/** `/healthz`: the process is alive. `/readyz`: it can serve requests, which it cannot while its databases fail. */
export function useHealth(app: FastifyInstance, isReady: () => Promise<boolean>) {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ result: 200, status: 'ok' }))
  app.get('/readyz', { schema: { hide: true } }, async request => {
    const ready = await isReady().catch(error => {
      request.log.error({ err: error }, 'not ready')
      return false
    })
    ensure(ready, 'temporarily_unavailable', 'The server is not ready.')
    return { result: 200, status: 'ready' }
  })
}
