import { type Static, Type } from 'typebox'
import { TranscriptionSegment } from './integration/webhook-events.ts'
import { Text } from './schema.ts'

/** The results in `job.finish` of completed jobs. More fields may be added. */

const Word = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._-]+$' })
/** Until the end of the year 9999: later times have no form in answers and events. */
const TimeMs = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })
const BlobId = Type.String({ pattern: '^b_[0-9a-f]{32}$' })

/** With the rest of the result they fit into a frame. */
export const RECORDING_FILES_MAX = 5000

export const RecordingResult = Type.Object({
  status: Type.Enum(['completed', 'stopped']),
  profile: Word,
  started_at_ms: TimeMs,
  ended_at_ms: TimeMs,
  duration_ms: TimeMs,
  output_dir: Type.String({ maxLength: 1024, format: 'text' }),
  blob_ids: Type.Array(BlobId, { maxItems: RECORDING_FILES_MAX, description: 'All files, uploaded before.' }),
  artifact: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
})
export type RecordingResult = Static<typeof RecordingResult>

export const TranscriptionResult = Type.Object({
  blob_id: Type.Unsafe<string>({ ...BlobId, description: 'Id of the uploaded transcript document.' }),
})
export type TranscriptionResult = Static<typeof TranscriptionResult>

/** The maximum size of the document. */
export const TRANSCRIPT_MAX_BYTES = 64 * 1024 * 1024

/** The JSON document of one run of a transcriber (docs/uploads.md#finishing-a-job). */
export const TranscriptDocument = Type.Object({
  status: Word,
  language: Type.String({ maxLength: 64, format: 'text' }),
  engine: Type.String({ maxLength: 128, format: 'text' }),
  started_at_ms: TimeMs,
  ended_at_ms: TimeMs,
  reason: Word,
  text: Text(TRANSCRIPT_MAX_BYTES),
  segments: Type.Array(TranscriptionSegment, { maxItems: 500_000 }),
})
export type TranscriptDocument = Static<typeof TranscriptDocument>
