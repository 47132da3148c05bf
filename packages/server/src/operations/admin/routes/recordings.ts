import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  type AdminRecording,
  AdminRecordingListResponse,
  AdminRecordingQuery,
  AdminRecordingResponse,
  Done,
  ensure,
} from '@lectern/protocol'
import { Type } from 'typebox'
import type { UserStore } from '../../../accounts/stores/users.ts'
import { parameter } from '../../../http/audit-rule.ts'
import type { Auth } from '../../../http/authentication.ts'
import { readPage } from '../../../platform/paging.ts'
import type { OwnRecordings } from '../../../records/own-recordings.ts'
import type { Recording } from '../../../records/ports.ts'
import type { AdministrationLists } from '../../stores/administration.ts'
import type { ConferenceNames } from '../conference-names.ts'
import { Id } from './common.ts'

interface AdminRecordingRoutesOptions {
  auth: Auth
  lists: AdministrationLists
  users: Pick<UserStore, 'find'>
  recordings: Pick<OwnRecordings, 'removeAny'>
  names: ConferenceNames
  /** The account that owns the conference. */
  ownerOf: (tag: string) => Promise<number | null>
}

/** Records of the archive. Their files need the capability recordings.access, which administrators do not have by itself. */
export const recordingRoutes =
  ({
    auth,
    lists,
    users,
    recordings,
    names,
    ownerOf,
  }: AdminRecordingRoutesOptions): FastifyPluginAsyncTypebox =>
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
        const conferenceTags = await names.select(query)
        const { rows, next } = await readPage(
          query,
          page => lists.recordings({ conferenceTags }, page),
          ({ rowId }) => rowId,
        )
        return { result: 200 as const, recordings: await Promise.all(rows.map(present)), next }
      },
    )

    app.get(
      '/recordings/:job_id',
      {
        config,
        schema: {
          operationId: 'adminGetRecording',
          tag: 'Administration',
          summary: 'Get a recording',
          description: 'A recording of any conference, without its files.',
          errors: ['recording_not_found'],
          params: Type.Object({ job_id: Id }),
          response: { 200: AdminRecordingResponse },
        },
      },
      async ({ params }) => {
        const recording = await lists.findRecording(params.job_id)
        ensure(recording, 'recording_not_found')
        return { result: 200 as const, ...(await present(recording)) }
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

    const present = async (recording: Recording): Promise<AdminRecording> => {
      const ownerId = recording.ownerId ?? (await ownerOf(recording.conferenceTag))
      return {
        job_id: recording.jobId,
        conference_tag: recording.conferenceTag,
        ...(await names.of(recording.conferenceTag)),
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
