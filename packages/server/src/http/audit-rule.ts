import type { AuditAction } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import type { AuditResult } from '../operations/audit/ports.ts'

/** How the action of a route appears in the audit log. Both functions get a validated request. */
export interface AuditRule {
  action: AuditAction | ((request: FastifyRequest) => AuditAction)
  target: (request: FastifyRequest) => string
  /** The requested change. It MUST NOT contain secrets. */
  details?: (request: FastifyRequest) => Record<string, unknown>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route that changes something for administrators, or for owners of technical users, declares it. */
    audit?: AuditRule
  }
  interface FastifyRequest {
    /** The row of this request in the audit log, while its outcome is not stored. */
    auditRow: { id: number; target?: string; failure: AuditResult | null } | null
  }
}

/** Names the target better than the request could. */
export function setAuditTarget({ auditRow }: FastifyRequest, target: string): void {
  if (auditRow) auditRow.target = target
}

/** The fields of a body with these names, as far as it has them, as details. They MUST NOT contain secrets. */
export const bodyFields =
  (...names: string[]) =>
  ({ body }: FastifyRequest): Record<string, unknown> => {
    const fields = Object.entries(body as Record<string, unknown>)
    return Object.fromEntries(fields.filter(([name, value]) => names.includes(name) && value !== undefined))
  }

/** A path parameter of a request whose route declares it. */
export const parameter =
  (name: string) =>
  ({ params }: FastifyRequest): string =>
    String((params as Record<string, string>)[name])
