import type { FinishedRecording } from './archive-types.ts'

interface EventRoom {
  external_id: string
  tag: string
}

export interface RecordingReady {
  id: string
  type: 'recording.ready'
  /** UTC, ISO 8601, ending in Z. */
  created_at: string
  data: { room: EventRoom; recording: FinishedRecording }
}

export interface TranscriptionSegment {
  seq: number
  /** Unix milliseconds of publication; not a position in the audio. */
  at: number
  speaker: { client_id: number; device_id: number; name: string }
  text: string
  partial: boolean
}

/** One run of a transcriber. `status` and `reason` are open sets. */
export interface Transcription {
  id: string
  job_id: string
  conference_tag: string
  conference_session_id: number
  status: string
  /** BCP 47. */
  language: string
  /** Unix milliseconds. */
  started_at_ms: number
  ended_at_ms: number
  reason: string
  /** The whole text of the run; empty if no speech was recognised. */
  text: string
  segments: TranscriptionSegment[]
}

export interface TranscriptionReady {
  id: string
  type: 'transcription.ready'
  created_at: string
  data: { room: EventRoom; transcription: Transcription }
}

/** Sent when `testWebhook` requests it. */
export interface WebhookTest {
  id: string
  type: 'webhook.test'
  created_at: string
  data: { service_account: string }
}

/** The body of a delivery, discriminated by `type`. */
export type WebhookEvent = RecordingReady | TranscriptionReady | WebhookTest
