import { type Static, Type } from 'typebox'
import { LIMIT_100_PATTERN, POSITION_PATTERN, ROW_CURSOR_PATTERN } from './page-patterns.ts'
import { Nullable, Result } from './schema.ts'

/** Recordings in a page of the list, by default and at most. */
export const OWN_RECORDINGS_DEFAULT = 50
export const OWN_RECORDINGS_MAX = 100

/** Phrases in a page of a transcript. */
export const OWN_TRANSCRIPT_PAGE = 20_000

const RecordingId = Type.String({ minLength: 1, maxLength: 128, format: 'text' })

export const OwnRecordingParams = Type.Object({ recording_id: RecordingId })
export const OwnRecordingFileParams = Type.Object({
  recording_id: RecordingId,
  blob_id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})

export const OwnRecordingQuery = Type.Object({
  before: Type.Optional(
    Type.String({ pattern: ROW_CURSOR_PATTERN, description: '`next` of the page before.' }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: LIMIT_100_PATTERN,
      description: `1 to ${OWN_RECORDINGS_MAX}; ${OWN_RECORDINGS_DEFAULT} if absent.`,
    }),
  ),
})

const about = {
  recording_id: Type.String({ description: 'The id of the recording job; the same in the archive.' }),
  tag: Type.String({ description: 'The conference. It may have been removed since.' }),
  title: Type.String({ description: "The conference's present or last title." }),
}

/** A finished recording of the user's conference. */
export const OwnRecordingView = Type.Object({
  ...about,
  status: Type.String({ description: 'Open set: completed, stopped.' }),
  profile: Type.String({ description: 'Open set, e.g. consolidated_native.' }),
  started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
  duration_ms: Type.Integer(),
  size: Type.Integer({ description: 'Bytes of all files.' }),
  transcript: Type.Enum(['none', 'processing', 'ready']),
  poster_blob_id: Nullable(Type.String({ description: 'The file of its image.' })),
})
export type OwnRecordingView = Static<typeof OwnRecordingView>

export const UnfinishedRecordingView = Type.Object({
  ...about,
  state: Type.Enum(['recording', 'processing', 'failed'], {
    description: 'processing: the files are being made and uploaded.',
  }),
  created_at_ms: Type.Integer({ description: 'Unix milliseconds; when the recording was requested.' }),
})
export type UnfinishedRecordingView = Static<typeof UnfinishedRecordingView>

export const OwnRecordingListResponse = Type.Object({
  result: Result,
  recordings: Type.Array(OwnRecordingView, { description: 'Newest first.' }),
  next: Nullable(Type.String({ description: '`before` of the next page; null at the end.' })),
  unfinished: Type.Array(UnfinishedRecordingView, {
    description:
      'On the first page: recordings that are still made, and those that failed in the last 7 days.',
  }),
})
export type OwnRecordingListResponse = Static<typeof OwnRecordingListResponse>

export const OwnFileView = Type.Object({
  blob_id: Type.String(),
  path: Type.String({ description: 'Logical path inside the recording.' }),
  content_type: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
})
export type OwnFileView = Static<typeof OwnFileView>

export const OwnRecordingResponse = Type.Object({
  result: Result,
  ...OwnRecordingView.properties,
  files: Type.Array(OwnFileView),
  video_blob_id: Nullable(
    Type.String({ description: 'The file of the whole recording; null if there is none.' }),
  ),
})
export type OwnRecordingResponse = Static<typeof OwnRecordingResponse>

export const FileLinkResponse = Type.Object({
  result: Result,
  url: Type.String({
    description:
      'Relative to the base address. It opens this one file, for GET and HEAD, while the sign-in lasts.',
  }),
  expires_in: Type.Integer({ description: 'Seconds; request another link afterwards.' }),
})
export type FileLinkResponse = Static<typeof FileLinkResponse>

export const TranscriptPhrase = Type.Object({
  from_ms: Type.Integer({
    description: 'Estimated position in the recording: transcripts contain when a phrase was finished.',
  }),
  to_ms: Type.Integer(),
  speaker: Type.String(),
  text: Type.String(),
})
export type TranscriptPhrase = Static<typeof TranscriptPhrase>

export const OwnTranscriptQuery = Type.Object({
  from: Type.Optional(
    Type.String({ pattern: POSITION_PATTERN, description: '`next` of the page before; 0 if absent.' }),
  ),
})

export const OwnTranscriptResponse = Type.Object({
  result: Result,
  language: Type.String({ description: 'BCP 47; und if unknown or if there is no transcript.' }),
  phrases: Type.Array(TranscriptPhrase, {
    description: `In order of time. A page has at most ${OWN_TRANSCRIPT_PAGE}.`,
  }),
  is_truncated: Type.Boolean({ description: 'There are more phrases after these.' }),
  next: Nullable(Type.Integer({ description: '`from` of the next page; null at the end.' })),
})
export type OwnTranscriptResponse = Static<typeof OwnTranscriptResponse>
