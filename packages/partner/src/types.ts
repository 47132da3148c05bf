/*
 * The bodies of the partner API and of webhooks, written out so that the published package needs no other package.
 * types.test.ts compares them with the schemas of the server.
 *
 * Objects of the archive and of events grow without a new version (rules API-4 and EVENT-1): ignore unknown fields.
 */

/** Null or an omitted field means "none"; in an update an omitted field is unchanged. */
export interface PersonRequest {
  display_name?: string | null
  /** Your id of the person, 1 to 255 bytes: who a person is (rule PERSON-1). */
  external_id?: string | null
}

export interface RoomRequest {
  title?: string | null
  /** Another name for `title`, which wins. */
  name?: string | null
  /** ISO 8601 with a time zone. */
  starts_at?: string | null
  ends_at?: string | null
  description?: string | null
  teacher?: PersonRequest | null
  student?: PersonRequest | null
}

export interface Person {
  display_name: string
  external_id?: string
}

export type RoomStatus = 'scheduled' | 'active' | 'cancelled' | 'closed'

export interface RoomResponse {
  result: 200
  room_id: number
  external_id: string
  /** Equal to `conference_tag` in the archive. */
  tag: string
  title: string
  starts_at: string | null
  ends_at: string | null
  status: RoomStatus
  /** The plain room link. */
  join_url: string
  description: string | null
  /** A signed link; gives the role teacher. */
  teacher_join_url: string
  /** A signed link; gives the role student. */
  student_join_url: string
  teacher: Person
  student: Person
}

export interface RoomStatusResponse extends RoomResponse {
  /** `status` as stored: never `active`. */
  stored_status: string
  /** Whether a session is open in the room. */
  live: boolean
}

export type RoomField =
  | 'title'
  | 'description'
  | 'starts_at'
  | 'ends_at'
  | 'teacher.display_name'
  | 'teacher.external_id'
  | 'student.display_name'
  | 'student.external_id'

export interface RoomPutResponse extends RoomResponse {
  /** False: the room existed already, and is returned unchanged. */
  created: boolean
  /** Fields of the request whose values differ from the existing room. */
  differing_fields: RoomField[]
}

export interface RoomListResponse {
  result: 200
  /** Newest first. */
  rooms: Omit<RoomStatusResponse, 'result'>[]
  /** `before` of the next page; null on the last one. */
  next: string | null
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

export interface DeliveryRecord {
  /** The `id` of the event. */
  id: string
  /** The `type` of the event. */
  event: string
  subject: string
  status: DeliveryStatus
  /** Finished attempts. */
  attempts: number
  /** Unix milliseconds; null: no attempt follows. */
  next_attempt_at_ms: number | null
  /** Of the last attempt. */
  response_status: number | null
  error: string | null
  /** Unix seconds. */
  created_at: number
  updated_at: number
}

export interface DeliveryAttempt {
  /** Unix milliseconds. */
  started_at_ms: number
  /** Null: the server stopped before the outcome was stored. */
  duration_ms: number | null
  response_status: number | null
  error: string | null
  /** The beginning of the response to a failed attempt. */
  excerpt: string | null
}

export interface DeliveryListResponse {
  result: 200
  /** Newest first. */
  deliveries: DeliveryRecord[]
  next: string | null
}

export interface DeliveryResponse extends DeliveryRecord {
  result: 200
}

export interface DeliveryDetailsResponse extends DeliveryResponse {
  /** The newest 20 attempts, newest first. */
  history: DeliveryAttempt[]
  /** The event: every attempt has this body. */
  payload: Record<string, unknown>
}

export interface TokenResponse {
  result: 200
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: null
}

export interface ServerInfoResponse {
  result: 200
  api: { version: 'v1'; base_path: '/api/v1/integration'; features: string[] }
  server: { name: string; version: string }
}

export type WebhookEventName = 'recording.ready' | 'transcription.ready'

export interface WebhookRequest {
  url?: string
  /** 16 to 256 characters. */
  secret?: string
  events?: WebhookEventName[]
  enabled?: boolean
}

export interface WebhookResponse {
  result: 200
  configured: boolean
  url: string | null
  events: string[]
  enabled: boolean
  secret_configured: boolean
  /** Unix seconds; null while no secret is being replaced. */
  previous_secret_expires_at: number | null
}

/** One stored file. Select files by `path` and `content_type`, never by position (rule ARCHIVE-6). */
export interface FileRecord {
  path: string
  blob_id: string
  /** Absolute, or relative to the base URL; `downloadBlob` accepts both. */
  url: string
  /** Bytes. */
  size: number
  content_type: string
  /** Lowercase hexadecimal. */
  sha256: string
  scope: string
}

/** The fields of a recording that the archive and events have. Ids and URLs are empty where there is no such file. */
interface FinishedRecording {
  id: string
  job_id: string
  conference_tag: string
  /** 0 for old records without a reliable link. */
  conference_session_id: number
  /** An open set, such as `consolidated_native`. */
  profile: string
  /** An open set, such as `completed` or `stopped`. */
  status: string
  /** Unix milliseconds. */
  started_at_ms: number
  ended_at_ms: number
  duration_ms: number
  report_blob_id: string
  report_url: string
  manifest_blob_id: string
  manifest_url: string
  files: FileRecord[]
}

export interface RecordingRecord extends FinishedRecording {
  output_dir: string
  report_jsonl_blob_id: string
  report_jsonl_url: string
  events_blob_id: string
  events_url: string
  /** Unix seconds. */
  created_at: number
  updated_at: number
  artifact: Record<string, unknown>
}

export interface RecordingsResponse {
  ok: boolean
  error?: string
  recordings: RecordingRecord[]
}

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
