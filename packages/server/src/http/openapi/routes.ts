import type { FastifyInstance, RouteOptions } from 'fastify'
import { noAuth } from '../auth-policy.ts'
import type { Server } from './document.ts'

/**
 * `GET /api/openapi.json`: the document of the routes that are registered later, made when it is requested first. The server
 * does not start if a route of the API is neither documented nor hidden.
 */
export function useOpenApi(app: FastifyInstance, server: () => Server): void {
  let document: string | undefined
  app.get(
    '/api/openapi.json',
    { config: { auth: noAuth }, schema: { hide: true } },
    async (_request, reply) => {
      document ??= await writeDocument(app.declaredRoutes, server())
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
  app.addHook('onReady', done => {
    const unknown = app.declaredRoutes
      .filter(({ url, schema }) => url.startsWith('/api/') && !schema?.operationId && !schema?.hide)
      .map(({ method, url }) => `${String(method)} ${url}`)
    done(unknown.length > 0 ? new Error(`routes without an operationId: ${unknown.join(', ')}`) : undefined)
  })
}

/** The generator of the document is loaded for the first reader, because it takes memory. */
async function writeDocument(routes: readonly RouteOptions[], server: Server): Promise<string> {
  const { apiDocument } = await import('./document.ts')
  return JSON.stringify(apiDocument(routes, server))
}
