import { type Static, Type } from 'typebox'
import { Next, PageQuery } from '../paging.ts'
import { Nullable, Result } from '../schema.ts'
import { ConferenceNames, ConferenceQuery } from './conferences.ts'

export const AdminRecording = Type.Object({
  job_id: Type.String(),
  conference_tag: Type.String(),
  ...ConferenceNames,
  conference_session_id: Type.Integer(),
  owner: Nullable(Type.String({ description: 'The login of the owner of the conference.' })),
  profile: Type.String(),
  status: Type.String(),
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  duration_ms: Type.Integer(),
  file_count: Type.Integer(),
  bytes: Type.Integer({ description: 'The size of all files.' }),
})
export type AdminRecording = Static<typeof AdminRecording>

export const AdminRecordingQuery = Type.Object({ ...PageQuery, ...ConferenceQuery })

export const AdminRecordingListResponse = Type.Object({
  result: Result,
  recordings: Type.Array(AdminRecording, { description: 'Newest first.' }),
  next: Next,
})
export type AdminRecordingListResponse = Static<typeof AdminRecordingListResponse>

export const AdminRecordingResponse = Type.Object({ result: Result, ...AdminRecording.properties })
