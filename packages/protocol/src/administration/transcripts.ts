import { type Static, Type } from 'typebox'
import { Next, PageQuery } from '../paging.ts'
import { Result } from '../schema.ts'
import { TranscriptResponse, TranscriptSummary } from '../transcripts.ts'
import { ConferenceNames, ConferenceQuery } from './conferences.ts'

const AdminTranscript = Type.Object({ ...TranscriptSummary.properties, ...ConferenceNames })
export type AdminTranscript = Static<typeof AdminTranscript>

export const AdminTranscriptQuery = Type.Object({ ...PageQuery, ...ConferenceQuery })

export const AdminTranscriptListResponse = Type.Object({
  result: Result,
  transcripts: Type.Array(AdminTranscript, { description: 'Last stored first.' }),
  next: Next,
})
export type AdminTranscriptListResponse = Static<typeof AdminTranscriptListResponse>

export const AdminTranscriptResponse = Type.Object({ ...TranscriptResponse.properties, ...ConferenceNames })
export type AdminTranscriptResponse = Static<typeof AdminTranscriptResponse>
