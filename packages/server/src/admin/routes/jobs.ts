import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminJobListResponse, AdminJobQuery, AdminJobResponse, ensure } from '@lectern/protocol'
import { Type } from 'typebox'
import type { AdministrationLists } from '../../db/administration.ts'
import type { Auth } from '../../http/authentication.ts'
import { readTimePage } from '../../paging.ts'
import { parameter } from '../auditing.ts'
import { Id } from './common.ts'

interface AdminJobRoutesOptions {
  auth: Auth
  lists: AdministrationLists
  jobs: { cancel(jobId: string): Promise<boolean> }
}

/** Jobs of recorders and transcribers. */
export const jobRoutes =
  ({ auth, lists, jobs }: AdminJobRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/jobs',
      {
        config,
        schema: {
          operationId: 'adminListJobs',
          tag: 'Administration',
          summary: 'List jobs',
          description: 'Jobs of recorders and transcribers, newest first, in pages.',
          querystring: AdminJobQuery,
          response: { 200: AdminJobListResponse },
        },
      },
      async ({ query }) => {
        const { kind, state } = query
        const { rows, next } = await readTimePage(
          query,
          page => lists.jobs({ kind, state }, page),
          job => ({ at: job.created_at_ms, id: job.job_id }),
        )
        return { result: 200 as const, jobs: rows, next }
      },
    )

    app.post(
      '/jobs/:job_id/cancel',
      {
        config: { ...config, audit: { action: 'job.cancel', target: parameter('job_id') } },
        schema: {
          operationId: 'adminCancelJob',
          tag: 'Administration',
          summary: 'Cancel a job',
          description:
            'Cancels a queued job; requests the worker of a leased one to finish, which keeps what it has.',
          errors: ['job_not_found', 'job_ended'],
          example: { response: { scope: 'partner_auto', stop_requested: true } },
          params: Type.Object({ job_id: Id }),
          response: { 200: AdminJobResponse },
        },
      },
      async ({ params }) => {
        ensure(await lists.findJob(params.job_id), 'job_not_found')
        ensure(await jobs.cancel(params.job_id), 'job_ended')
        const job = await lists.findJob(params.job_id)
        ensure(job, 'job_not_found')
        return { result: 200 as const, ...job }
      },
    )
  }
