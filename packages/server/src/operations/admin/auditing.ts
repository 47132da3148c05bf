import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type AuditLog, resultOf } from '../audit/audit-log.ts'
import type { Actor } from '../audit/ports.ts'

const READS = ['GET', 'HEAD']

interface Audited {
  /** The actor of the request; null: it has no row. */
  actorOf: (request: FastifyRequest) => Actor | null
  /** Whether the route needs a rule if it changes something. Absent: all do. */
  isAudited?: (route: RouteOptions) => boolean
}

/**
 * Writes the audit row of each request to a route that is registered later: before its handler runs, and its outcome
 * before the response is sent (rule AUDIT-1). The server does not start if a route that changes something has no rule.
 */
export function useAuditing(
  app: FastifyInstance,
  log: AuditLog,
  { actorOf, isAudited = () => true }: Audited,
): void {
  app.decorateRequest('auditRow', null)
  app.addHook('onRoute', route => {
    const { method, url, config } = route
    if (READS.includes(String(method)) || config?.audit || !isAudited(route)) return
    throw new Error(`${method} ${url} has no audit rule`)
  })
  app.addHook('preHandler', async request => {
    const { audit } = request.routeOptions.config
    const actor = audit && actorOf(request)
    if (!actor) return
    const id = await log.begin({
      actor,
      action: typeof audit.action === 'function' ? audit.action(request) : audit.action,
      target: audit.target(request),
      details: audit.details?.(request) ?? {},
    })
    request.auditRow = { id, failure: null }
  })
  app.addHook('onError', async (request: FastifyRequest, _reply: FastifyReply, error: Error) => {
    if (request.auditRow) request.auditRow.failure = resultOf(error)
  })
  app.addHook('onSend', async request => {
    const row = request.auditRow
    if (!row) return
    request.auditRow = null
    try {
      await log.settle(row.id, { ...(row.failure ?? { outcome: 'done', code: null }), target: row.target })
    } catch (error) {
      // The action has happened; its row keeps the outcome `started`.
      const about = { err: error, auditId: row.id, request_id: request.id }
      request.log.error(
        about,
        'the outcome of an action could not be stored: its audit row remains "started"',
      )
    }
  })
}
