import { ensure } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'
import { noAuth } from '../../http/auth-policy.ts'

/** `/healthz`: the process is alive. `/readyz`: it can serve requests, which it cannot while its databases fail. */
export function useHealth(app: FastifyInstance, isReady: () => Promise<boolean>) {
  const config = { auth: noAuth }
  app.get('/healthz', { config, schema: { hide: true } }, async () => ({ result: 200, status: 'ok' }))
  app.get('/readyz', { config, schema: { hide: true } }, async request => {
    const ready = await isReady().catch(error => {
      request.log.error(
        { err: error, request_id: request.id },
        'the server is not ready: a database does not answer',
      )
      return false
    })
    ensure(ready, 'temporarily_unavailable', 'The server is not ready.')
    return { result: 200, status: 'ready' }
  })
}
