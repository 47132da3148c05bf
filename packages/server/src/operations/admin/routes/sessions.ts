import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AdminSessionListResponse,
  AdminSessionQuery,
  AdminSessionResponse,
  Done,
  RowId,
} from '@lectern/protocol'
import { Type } from 'typebox'
import { parameter, setAuditTarget } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readPage, searchOf } from '../../../platform/paging.ts'
import type { AllSessions } from '../all-sessions.ts'

const SessionParams = Type.Object({ conference_session_id: RowId })

/** Live sessions. */
export const sessionRoutes =
  ({ auth, sessions }: { auth: Auth; sessions: AllSessions }): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/sessions',
      {
        config,
        schema: {
          operationId: 'adminListSessions',
          tag: 'Administration',
          summary: 'List live sessions',
          description: 'Newest first, in pages; in a cluster of all servers.',
          querystring: AdminSessionQuery,
          response: { 200: AdminSessionListResponse },
        },
      },
      async ({ query }) => {
        const { rows, next } = await readPage(
          query,
          page => sessions.list(searchOf(query), page),
          ({ conference_session_id }) => conference_session_id,
        )
        return { result: 200 as const, sessions: rows, next }
      },
    )

    app.get(
      '/sessions/:conference_session_id',
      {
        config,
        schema: {
          operationId: 'adminGetSession',
          tag: 'Administration',
          summary: 'Get a live session with its participants',
          description: 'At most 1,000 participants.',
          errors: ['session_not_found'],
          params: SessionParams,
          response: { 200: AdminSessionResponse },
        },
      },
      async ({ params }) => ({
        result: 200 as const,
        ...(await sessions.get(Number(params.conference_session_id))),
      }),
    )

    app.post(
      '/sessions/:conference_session_id/end',
      {
        config: { ...config, audit: { action: 'session.end', target: parameter('conference_session_id') } },
        schema: {
          operationId: 'adminEndSession',
          tag: 'Administration',
          summary: 'End a live session',
          description: 'Ends it for everybody, as a moderator does.',
          errors: ['session_not_found'],
          params: SessionParams,
          response: { 200: Done },
        },
      },
      async request => {
        const id = request.params.conference_session_id
        setAuditTarget(request, `${id} (${await sessions.end(Number(id))})`)
        return { result: 200 as const }
      },
    )
  }
