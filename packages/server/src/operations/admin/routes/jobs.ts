import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminJob,
  AdminJobListResponse,
  AdminJobQuery,
  AdminJobResponse,
  ensure,
} from '@lectern/protocol'
import { Type } from 'typebox'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readTimePage } from '../../../platform/paging.ts'
import type { AdministrationLists } from '../../stores/administration.ts'
import type { ConferenceNames } from '../conference-names.ts'
import { Id } from './common.ts'

interface AdminJobRoutesOptions {
  auth: Auth
  lists: AdministrationLists
  names: ConferenceNames
  jobs: { cancel(jobId: string): Promise<boolean> }
}

/** Jobs of recorders, transcribers and converters. */
export const jobRoutes =
  ({ auth, lists, names, jobs }: AdminJobRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }
    const present = async (job: AdminJob) => ({ ...job, ...(await names.of(job.conference_tag)) })
    const params = Type.Object({ job_id: Id })

    app.get(
      '/jobs',
      {
        config,
        schema: {
          operationId: 'adminListJobs',
          tag: 'Administration',
          summary: 'List jobs',
          description: 'Jobs of recorders, transcribers and converters, newest first, in pages.',
          querystring: AdminJobQuery,
          response: { 200: AdminJobListResponse },
        },
      },
      async ({ query }) => {
        const { kind, state } = query
        const conferenceTags = await names.select(query)
        const { rows, next } = await readTimePage(
          query,
          page => lists.jobs({ kind, state, conferenceTags }, page),
          job => ({ at: job.created_at_ms, id: job.job_id }),
        )
        return { result: 200 as const, jobs: await Promise.all(rows.map(present)), next }
      },
    )

    app.get(
      '/jobs/:job_id',
      {
        config,
        schema: {
          operationId: 'adminGetJob',
          tag: 'Administration',
          summary: 'Get a job',
          description: 'A job of a recorder, transcriber or converter.',
          errors: ['job_not_found'],
          example: { response: { scope: 'partner_auto' } },
          params,
          response: { 200: AdminJobResponse },
        },
      },
      async ({ params: { job_id } }) => {
        const job = await lists.findJob(job_id)
        ensure(job, 'job_not_found')
        return { result: 200 as const, ...(await present(job)) }
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
          params,
          response: { 200: AdminJobResponse },
        },
      },
      async ({ params: { job_id } }) => {
        ensure(await lists.findJob(job_id), 'job_not_found')
        ensure(await jobs.cancel(job_id), 'job_ended')
        const job = await lists.findJob(job_id)
        ensure(job, 'job_not_found')
        return { result: 200 as const, ...(await present(job)) }
      },
    )
  }
