import { type Static, Type } from 'typebox'

/** Records grow without a new version (rule API-4): unknown fields are allowed. */
const extensible = { additionalProperties: true }

const BlobId = Type.String({ description: 'Empty if there is no such file.' })
const BlobUrl = Type.String({
  description: 'Absolute, or relative to the base URL. Empty if there is no such file.',
})

/** One uploaded file. Readers MUST select files by path and content_type, never by position. */
export const FileRecord = Type.Object(
  {
    path: Type.String({ description: 'Logical path inside the recording.' }),
    blob_id: BlobId,
    url: BlobUrl,
    size: Type.Integer({ description: 'Bytes.' }),
    content_type: Type.String(),
    sha256: Type.String({ description: 'Lowercase hexadecimal.' }),
    scope: Type.String({ description: 'Storage scope; for diagnosis only.' }),
  },
  extensible,
)
export type FileRecord = Static<typeof FileRecord>

/** One finished recording in the archive (docs/partner-api.md#recordings). `profile` and `status` are open sets. */
export const RecordingRecord = Type.Object(
  {
    id: Type.String({ description: 'Stable; usually equal to job_id.' }),
    job_id: Type.String(),
    conference_tag: Type.String({ description: "The room's tag; may repeat across sessions." }),
    conference_session_id: Type.Integer({ description: '0 for old records without a reliable link.' }),
    profile: Type.String({ description: 'Open set, e.g. consolidated_native.' }),
    status: Type.String({ description: 'Open set, e.g. completed or stopped.' }),
    started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
    ended_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
    duration_ms: Type.Integer(),
    output_dir: Type.String({ description: 'Name of the folder on the worker; not for download.' }),
    report_blob_id: BlobId,
    report_url: BlobUrl,
    report_jsonl_blob_id: BlobId,
    report_jsonl_url: BlobUrl,
    manifest_blob_id: BlobId,
    manifest_url: BlobUrl,
    events_blob_id: BlobId,
    events_url: BlobUrl,
    files: Type.Array(FileRecord),
    created_at: Type.Integer({ description: 'Unix seconds; when it was indexed.' }),
    updated_at: Type.Integer({ description: 'Unix seconds; when it was last indexed.' }),
    artifact: Type.Unsafe<Record<string, unknown>>(
      Type.Object({}, { ...extensible, description: 'Report of the recorder; extensible.' }),
    ),
  },
  extensible,
)
export type RecordingRecord = Static<typeof RecordingRecord>

/** The archive shows this many records, newest first (docs/partner-api.md#recordings). */
export const RECORDINGS_MAX = 500

/** Rule ARCHIVE-3: `ok` may be false even under HTTP 200: the archive index could not be read. */
export const RecordingsResponse = Type.Object({
  ok: Type.Boolean(),
  error: Type.Optional(Type.String({ description: 'Only when ok is false.' })),
  recordings: Type.Array(RecordingRecord, { maxItems: RECORDINGS_MAX }),
})
export type RecordingsResponse = Static<typeof RecordingsResponse>
