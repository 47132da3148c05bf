import { type Static, Type } from 'typebox'
import { RecordingRecord } from './records.ts'

/** Events grow without a new version (rule EVENT-1): unknown fields are allowed. */
const extensible = { additionalProperties: true }

const envelope = {
  id: Type.String({ pattern: '^wh_[0-9a-f]+$', description: 'The same for every attempt of one delivery.' }),
  created_at: Type.String({ description: 'UTC, ISO 8601, ending in Z.' }),
}

/** The room that an event is about. */
export const EventRoom = Type.Object(
  {
    external_id: Type.String(),
    tag: Type.String({ description: 'Equal to conference_tag.' }),
  },
  extensible,
)

/** The archive record without the fields that only the archive has (docs/webhooks.md#recordingready). */
export const FinishedRecording = Type.Pick(
  RecordingRecord,
  [
    'id',
    'job_id',
    'conference_tag',
    'conference_session_id',
    'profile',
    'status',
    'started_at_ms',
    'ended_at_ms',
    'duration_ms',
    'report_blob_id',
    'report_url',
    'manifest_blob_id',
    'manifest_url',
    'files',
  ],
  extensible,
)

/** Sent once for each finished recording, after all its files are stored and indexed. */
export const RecordingReady = Type.Object(
  {
    ...envelope,
    type: Type.Literal('recording.ready'),
    data: Type.Object({ room: EventRoom, recording: FinishedRecording }, extensible),
  },
  extensible,
)
export type RecordingReady = Static<typeof RecordingReady>

/** A speaker in a transcript. */
export const TranscriptSpeaker = Type.Object(
  { client_id: Type.Integer(), device_id: Type.Integer(), name: Type.String() },
  extensible,
)

export const TranscriptionSegment = Type.Object(
  {
    seq: Type.Integer(),
    at: Type.Integer({ description: 'Unix milliseconds of publication; not a position in the audio.' }),
    speaker: TranscriptSpeaker,
    text: Type.String(),
    partial: Type.Boolean(),
  },
  extensible,
)
export type TranscriptionSegment = Static<typeof TranscriptionSegment>

/** One run of a transcriber. `status` and `reason` are open sets. */
export const FinishedTranscription = Type.Object(
  {
    id: Type.String(),
    job_id: Type.String(),
    conference_tag: Type.String(),
    conference_session_id: Type.Integer({ description: 'The same for all runs within one session.' }),
    status: Type.String({ description: 'Open set, e.g. completed.' }),
    language: Type.String(),
    started_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
    ended_at_ms: Type.Integer({ description: 'Unix milliseconds.' }),
    reason: Type.String({ description: 'Why the run ended; open set.' }),
    text: Type.String({ description: 'The whole text of the run; empty if no speech was recognised.' }),
    segments: Type.Array(TranscriptionSegment),
  },
  extensible,
)

/** Sent when one run of a transcriber ends, not when the room closes. */
export const TranscriptionReady = Type.Object(
  {
    ...envelope,
    type: Type.Literal('transcription.ready'),
    data: Type.Object({ room: EventRoom, transcription: FinishedTranscription }, extensible),
  },
  extensible,
)
export type TranscriptionReady = Static<typeof TranscriptionReady>

/** Sent when a partner or an administrator requests it. It is about no room. */
export const WebhookTest = Type.Object(
  {
    ...envelope,
    type: Type.Literal('webhook.test'),
    data: Type.Object(
      { service_account: Type.String({ description: 'Whose webhook is tested.' }) },
      extensible,
    ),
  },
  extensible,
)
export type WebhookTest = Static<typeof WebhookTest>

/** The body of a delivery, discriminated by `type`. */
export const WebhookEvent = Type.Union([RecordingReady, TranscriptionReady, WebhookTest])
export type WebhookEvent = Static<typeof WebhookEvent>
