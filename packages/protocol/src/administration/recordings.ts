import { type Static, Type } from 'typebox'
import { Next, PageQuery } from '../paging.ts'
import { Nullable, Result, Text } from '../schema.ts'

export const AdminRecording = Type.Object({
  job_id: Type.String(),
  conference_tag: Type.String(),
  conference_session_id: Type.Integer(),
  owner: Nullable(Type.String({ description: 'The login of the owner of the conference.' })),
  profile: Type.String(),
  status: Type.String(),
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  duration_ms: Type.Integer(),
  file_count: Type.Integer(),
  bytes: Type.Integer({ description: 'Of all files.' }),
})
export type AdminRecording = Static<typeof AdminRecording>

export const AdminRecordingQuery = Type.Object({
  ...PageQuery,
  conference: Type.Optional(Text(128, 'The tag of a conference.')),
})

export const AdminRecordingListResponse = Type.Object({
  result: Result,
  recordings: Type.Array(AdminRecording, { description: 'Newest first.' }),
  next: Next,
})
export type AdminRecordingListResponse = Static<typeof AdminRecordingListResponse>
