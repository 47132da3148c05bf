/*
 * The bodies of version 2 of the partner API, which the server describes at /docs/reference. Times are ISO 8601 in UTC.
 * Objects grow without a new version: ignore unknown fields.
 */

/** Your own data about rooms and people, at most 4 KiB as JSON. Every event has it. */
export type Metadata = Record<string, string>

export type RoomRole = 'teacher' | 'assistant' | 'student' | 'observer'

export interface RecordingSettings {
  /** `automatic`: with the first participant. `manual`: by `startRecording`. */
  mode: 'automatic' | 'manual' | 'off'
  /** MP4 plays in every browser. */
  format: 'mkv' | 'mp4'
  /** Days after which a recording is deleted; null: as the operator set for the account. */
  keep_days: number | null
}

export interface TranscriptionSettings {
  mode: 'off' | 'automatic'
  /** BCP 47; null: any. */
  language: string | null
  /** People inside can read what is said. */
  captions: boolean
}

export interface RoomBrand {
  /** Shown instead of Lectern. */
  name: string | null
  /** Colour of buttons, such as `#0a7d5a`. */
  accent: string | null
}

/** A feature that is off is not shown, and is permitted to nobody. */
export interface RoomFeatures {
  chat: boolean
  files: boolean
  screen_sharing: boolean
  reactions: boolean
  captions: boolean
}

interface RoomSettings {
  recording: RecordingSettings
  transcription: TranscriptionSettings
  /** Students wait until a teacher or an assistant admits them. */
  lobby: boolean
  /** How people without a link of their own enter; null: as the operator set. */
  plain_link: 'lobby' | 'open' | 'closed' | null
  /** Links open so many seconds before `starts_at`; null: always. */
  opens_before_s: number | null
  max_participants: number | null
  /** Whether the board stays for the next session, each session begins with an empty one, or there is none. */
  board: 'keep' | 'fresh' | 'off'
  brand: RoomBrand
  /** Until somebody chooses another one. */
  layout: 'webinar' | 'grid' | 'speaker' | 'presentation'
  /** Language of the page for people who have chosen none; null: the language of the browser. */
  language: 'ar' | 'de' | 'en' | 'es' | 'fr' | 'pt' | 'ru' | 'tr' | null
  /** The address to which people go after the call. */
  return_url: string | null
  features: RoomFeatures
  metadata: Metadata
}

type RoomSettingGroup = 'recording' | 'transcription' | 'brand' | 'features'

/** Fields that are absent keep their values. */
export interface HostedRoomRequest extends Partial<Omit<RoomSettings, RoomSettingGroup>> {
  title?: string | null
  description?: string | null
  /** ISO 8601 with a time zone. */
  starts_at?: string | null
  ends_at?: string | null
  recording?: Partial<RecordingSettings>
  transcription?: Partial<TranscriptionSettings>
  brand?: Partial<RoomBrand>
  features?: Partial<RoomFeatures>
}

export interface HostedRoom extends RoomSettings {
  external_id: string
  tag: string
  title: string
  description: string | null
  starts_at: string | null
  ends_at: string | null
  status: 'scheduled' | 'active' | 'cancelled' | 'closed'
  /** Whether a session is open in the room. */
  live: boolean
  join_url: string
  /** When recordings are deleted: by the room, the account or the whole server; null: never. */
  recordings_kept_days: number | null
}

export interface RoomPersonRequest {
  display_name?: string
  /** Teachers and assistants are moderators; observers send nothing. Default: `student`. */
  role?: RoomRole
  metadata?: Metadata
}

export interface RoomPerson {
  external_id: string
  display_name: string
  role: RoomRole
  metadata: Metadata
  /** The personal link: whoever has it enters as this person. */
  join_url: string
}

export interface EventPerson {
  /** One person on one device; null while waiting. */
  participant_id: string | null
  /** Your own id of the person; null for guests. */
  external_id: string | null
  display_name: string
  role: RoomRole
  metadata: Metadata
}

export interface LiveParticipant extends EventPerson {
  participant_id: string
  /** `away`: the connection is lost for a moment. */
  presence: 'here' | 'away'
  joined_at: string
}

export interface StoredFile {
  path: string
  size: number
  content_type: string
  /** Lowercase hexadecimal. */
  sha256: string
}

export interface StoredRecording {
  id: string
  /** `external_id` of the room. */
  room: string
  session_id: number
  /** An open set, such as `completed` or `stopped`. */
  status: string
  started_at: string
  ended_at: string
  duration_ms: number
  files: StoredFile[]
}

export interface RecordingLinkRequest {
  /** `path` of one of the files of the recording. */
  path: string
  /** Seconds, at most 7 days. */
  expires_in: number
  /** `inline` plays in the browser. Default: `attachment`. */
  disposition?: 'attachment' | 'inline'
}

export interface RecordingLink {
  id: string
  /** Whoever has it reads the file. Ranges are supported. */
  url: string
  expires_at: string
}

export interface StoredTranscript {
  id: string
  room: string
  session_id: number
  status: string
  language: string
  started_at: string
  ended_at: string
  reason: string
}

export interface WholeTranscript extends StoredTranscript {
  text: string
  segments: {
    seq: number
    /** Unix milliseconds. */
    at: number
    speaker: { client_id: number; device_id: number; name: string; external_id: string | null }
    text: string
    partial: boolean
  }[]
}

export interface Usage {
  /** Such as `2030-09`, in UTC. */
  month: string
  participant_minutes: number
  recorded_minutes: number
  stored_bytes: number
  webhooks: number
}
