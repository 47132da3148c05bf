import type { AuditAction } from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { type AuditRule, parameter } from '../../../http/audit-rule.ts'
import type { AuthPolicy } from '../../../http/auth-policy.ts'
import type { Caller } from '../../service-accounts.ts'

type Details = (request: FastifyRequest) => Record<string, unknown>

/** How what owners do with the endpoints of a service account appears in the audit log. */
export const auditedEndpoint =
  (auth: AuthPolicy<Caller>) =>
  (
    action: AuditAction & `endpoint.${string}`,
    { target = parameter('endpoint_id'), details }: { target?: AuditRule['target']; details?: Details } = {},
  ): AuditRule => ({
    action,
    target,
    details: request => ({ service_account: auth.callerOf(request).name, ...details?.(request) }),
  })

/** The names of what is changed: an address may contain a secret. */
export const changesOf: Details = ({ body }) => ({ changed: Object.keys(body as object) })

export const deliveryOf: Details = request => ({ delivery: parameter('delivery_id')(request) })
