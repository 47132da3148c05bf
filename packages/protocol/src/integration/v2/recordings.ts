import { type Static, Type } from 'typebox'
import { Result } from '../../schema.ts'
import { FinishedTranscription, TranscriptSpeaker } from '../webhook-events.ts'
import { AfterQuery, NextAfter, UtcTime } from './conventions.ts'

const extensible = { additionalProperties: true }

export const StoredFile = Type.Object(
  {
    path: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    content_type: Type.String(),
    sha256: Type.String(),
  },
  extensible,
)

const recording = {
  id: Type.String(),
  room: Type.String({ description: '`external_id` of the room.' }),
  session_id: Type.Integer(),
  status: Type.String({ description: 'Open set, e.g. completed.' }),
  started_at: UtcTime('When it began.'),
  ended_at: UtcTime('When it ended.'),
  duration_ms: Type.Integer(),
  files: Type.Array(StoredFile),
}

/** A finished recording, as version 2 shows it. */
export const StoredRecording = Type.Object(recording, extensible)
export type StoredRecording = Static<typeof StoredRecording>

export const OfRoom = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    format: 'text',
    description: '`external_id` of a room; absent: of all.',
  }),
)

export const StoredRecordingQuery = Type.Object({ ...AfterQuery, room: OfRoom })
export const StoredRecordingParams = Type.Object({
  recording_id: Type.String({ minLength: 1, maxLength: 128, format: 'text' }),
})
export const StoredRecordingList = Type.Object({
  result: Result,
  recordings: Type.Array(StoredRecording, { description: 'Oldest first.' }),
  next: NextAfter,
})
export const StoredRecordingResponse = Type.Object({ result: Result, ...recording })

export const LINK_MAX_SECONDS = 604_800

export const RecordingLinkRequest = Type.Object({
  path: Type.String({
    minLength: 1,
    maxLength: 255,
    format: 'text',
    description: '`path` of one of its files.',
  }),
  expires_in: Type.Integer({
    minimum: 1,
    maximum: LINK_MAX_SECONDS,
    description: 'Seconds, at most 7 days.',
  }),
  disposition: Type.Optional(
    Type.Enum(['attachment', 'inline'] as const, {
      description: '`inline` plays in the browser. By default `attachment`.',
    }),
  ),
})
const link = {
  id: Type.String(),
  url: Type.String({ description: 'Whoever has it reads the file. Ranges are supported.' }),
  expires_at: UtcTime('When it stops working.'),
}
export const RecordingLinkResponse = Type.Object({ result: Result, ...link })
export const RecordingLinkParams = Type.Object({
  ...StoredRecordingParams.properties,
  link_id: Type.String({ minLength: 1, maxLength: 64, format: 'text' }),
})
export const FileLinkParams = Type.Object({
  link_token: Type.String({ minLength: 1, maxLength: 300, format: 'text' }),
})

/** A speaker with the partner's own id. */
const Speaker = Type.Object({
  ...TranscriptSpeaker.properties,
  external_id: Type.Union([Type.String(), Type.Null()]),
})

const transcript = {
  id: Type.String(),
  room: recording.room,
  session_id: Type.Integer(),
  status: Type.String(),
  language: Type.String(),
  started_at: UtcTime('When it began.'),
  ended_at: UtcTime('When it ended.'),
  reason: FinishedTranscription.properties.reason,
}
export const StoredTranscript = Type.Object(transcript)
export type StoredTranscript = Static<typeof StoredTranscript>
export const StoredTranscriptQuery = Type.Object({
  ...AfterQuery,
  room: Type.String({
    minLength: 1,
    maxLength: 255,
    format: 'text',
    description: '`external_id` of the room.',
  }),
})
export const StoredTranscriptParams = Type.Object({
  transcript_id: Type.String({ minLength: 1, maxLength: 128, format: 'text' }),
})
export const StoredTranscriptList = Type.Object({
  result: Result,
  transcripts: Type.Array(StoredTranscript, { description: 'Oldest first.' }),
  next: NextAfter,
})
const whole = {
  ...transcript,
  text: FinishedTranscription.properties.text,
  segments: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      at: Type.Integer({ description: 'Unix milliseconds.' }),
      speaker: Speaker,
      text: Type.String(),
      partial: Type.Boolean(),
    }),
  ),
}
export const WholeTranscript = Type.Object(whole, extensible)
export const StoredTranscriptResponse = Type.Object({ result: Result, ...whole })
