import type { AuditAction } from '@lectern/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../http/authentication.ts'
import { type AuditLog, resultOf } from '../audit/audit-log.ts'
import type { AuditResult } from '../audit/ports.ts'

/** How the action of a route appears in the audit log. Both functions get a validated request. */
export interface AuditRule {
  action: AuditAction | ((request: FastifyRequest) => AuditAction)
  target: (request: FastifyRequest) => string
  /** The requested change. It MUST NOT contain secrets. */
  details?: (request: FastifyRequest) => Record<string, unknown>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route that changes something declares it. */
    audit?: AuditRule
  }
  interface FastifyRequest {
    /** The row of this request in the audit log, while its outcome is not stored. */
    auditRow: { id: number; target?: string; failure: AuditResult | null } | null
  }
}

const READS = ['GET', 'HEAD']

/**
 * Writes the audit row of each request to a route that is registered later: before its handler runs, and its outcome
 * before the response is sent (rule AUDIT-1). The server does not start if a route that changes something has no rule.
 */
export function useAuditing(app: FastifyInstance, log: AuditLog, auth: Auth): void {
  app.decorateRequest('auditRow', null)
  app.addHook('onRoute', ({ method, url, config }) => {
    if (READS.includes(String(method)) || config?.audit) return
    throw new Error(`${method} ${url} has no audit rule`)
  })
  app.addHook('preHandler', async request => {
    const { audit } = request.routeOptions.config
    if (!audit) return
    const id = await log.begin({
      actor: auth.admin.callerOf(request),
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

/** Names the target better than the request could. */
export function setAuditTarget({ auditRow }: FastifyRequest, target: string): void {
  if (auditRow) auditRow.target = target
}

/** A path parameter of a request whose route declares it. */
export const parameter =
  (name: string) =>
  ({ params }: FastifyRequest): string =>
    String((params as Record<string, string>)[name])
