import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AUDIT_ACTIONS,
  type AuditAction,
  AuditListResponse,
  AuditQuery,
  type AuditRecord,
} from '@lectern/protocol'
import type { Auth } from '../../../http/authentication.ts'
import { readPage, searchOf } from '../../../platform/paging.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import type { StoredAuditEntry } from '../../audit/ports.ts'

/** The audit log is only read: no route changes or removes its rows. */
export const auditRoutes =
  ({ auth, log }: { auth: Auth; log: AuditLog }): FastifyPluginAsyncTypebox =>
  async app => {
    app.get(
      '/audit',
      {
        config: { auth: auth.admin },
        schema: {
          operationId: 'adminListAuditRecords',
          tag: 'Administration',
          summary: 'Read the audit log',
          description: 'Newest first, in pages. Nothing changes or removes its records.',
          querystring: AuditQuery,
          response: { 200: AuditListResponse },
        },
      },
      async ({ query }) => {
        const { user, action, outcome } = query
        const filter = { search: searchOf(query), user, action: action as AuditAction | undefined, outcome }
        const { rows, next } = await readPage(
          query,
          page => log.list(filter, page),
          ({ id }) => id,
        )
        return { result: 200 as const, records: rows.map(presentRecord), next }
      },
    )
  }

const presentRecord = (entry: StoredAuditEntry): AuditRecord => ({
  id: String(entry.id),
  at_ms: entry.atMs,
  actor_kind: entry.actor.kind,
  actor_user_id: entry.actor.kind === 'user' ? entry.actor.userId : null,
  actor: entry.actor.name,
  address: entry.actor.address,
  action: entry.action,
  target_kind: AUDIT_ACTIONS[entry.action] ?? 'unknown',
  target: entry.target,
  details: entry.details,
  outcome: entry.outcome,
  code: entry.code,
})
