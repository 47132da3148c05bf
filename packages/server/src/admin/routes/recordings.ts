import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminRecording,
  AdminRecordingListResponse,
  AdminRecordingQuery,
  Done,
  ensure,
} from '@lectern/protocol'
import { Type } from 'typebox'
import type { AdministrationLists } from '../../db/administration.ts'
import type { UserStore } from '../../db/users.ts'
import type { Auth } from '../../http/authentication.ts'
import { readPage } from '../../paging.ts'
import type { OwnRecordings } from '../../records/own-recordings.ts'
import { parameter } from '../auditing.ts'
import type { IndexedRecording } from '../ports.ts'
import { Id } from './common.ts'

interface AdminRecordingRoutesOptions {
  auth: Auth
  lists: AdministrationLists
  users: Pick<UserStore, 'find'>
  recordings: Pick<OwnRecordings, 'removeAny'>
  /** The account that owns the conference. */
  ownerOf: (tag: string) => Promise<number | null>
}

/** Records of the archive. Their files need the capability recordings.access, which administrators do not have by itself. */
export const recordingRoutes =
  ({ auth, lists, users, recordings, ownerOf }: AdminRecordingRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth: auth.admin }

    app.get(
      '/recordings',
      {
        config,
        schema: {
          operationId: 'adminListRecordings',
          tag: 'Administration',
          summary: 'List recordings',
          description: 'Recordings of all conferences, newest first, in pages.',
          querystring: AdminRecordingQuery,
          response: { 200: AdminRecordingListResponse },
        },
      },
      async ({ query }) => {
        const { rows, next } = await readPage(
          query,
          page => lists.recordings({ conferenceTag: query.conference || undefined }, page),
          ({ rowId }) => rowId,
        )
        return { result: 200 as const, recordings: await Promise.all(rows.map(present)), next }
      },
    )

    app.delete(
      '/recordings/:job_id',
      {
        config: { ...config, audit: { action: 'recording.delete', target: parameter('job_id') } },
        schema: {
          operationId: 'adminDeleteRecording',
          tag: 'Administration',
          summary: 'Delete a recording',
          description: 'Deletes it with its files and transcripts, for good, whoever owns it.',
          errors: ['recording_not_found'],
          params: Type.Object({ job_id: Id }),
          response: { 200: Done },
        },
      },
      async ({ params }) => {
        ensure(await recordings.removeAny(params.job_id), 'recording_not_found')
        return { result: 200 as const }
      },
    )

    const present = async (recording: IndexedRecording): Promise<AdminRecording> => {
      const ownerId = recording.ownerId ?? (await ownerOf(recording.conferenceTag))
      return {
        job_id: recording.jobId,
        conference_tag: recording.conferenceTag,
        conference_session_id: recording.conferenceSessionId,
        owner: (ownerId === null ? null : await users.find(ownerId))?.login ?? null,
        profile: recording.profile,
        status: recording.status,
        started_at_ms: recording.startedAtMs,
        duration_ms: recording.durationMs,
        file_count: recording.files.length,
        bytes: recording.files.reduce((sum, { size }) => sum + size, 0),
      }
    }
  }
