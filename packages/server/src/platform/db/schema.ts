import type { Generated } from 'kysely'
import type { AccountSchema } from './tables/account.ts'
import type { AdminTables } from './tables/admin.ts'
import type { BoardTables } from './tables/board.ts'
import type { CallsSchema } from './tables/calls.ts'
import type { ClusterTables } from './tables/cluster.ts'
import type { FileTables } from './tables/files.ts'
import type { JobWorkersSchema } from './tables/job-workers.ts'
import type { LtiTables } from './tables/lti.ts'
import type { MessagingSchema } from './tables/messaging.ts'
import type { ParticipantTables } from './tables/participants.ts'
import type { PartnerTables } from './tables/partner.ts'
import type { PushSchema } from './tables/push.ts'
import type { OwnRecordingTables } from './tables/recordings.ts'
import type { SsoTables } from './tables/sso.ts'

/** Tables of the main store. Times are Unix seconds unless named _ms; flags are 0 and 1; JSON is text. */
export interface MainSchema
  extends AccountSchema,
    AdminTables,
    OwnRecordingTables,
    BoardTables,
    CallsSchema,
    ClusterTables,
    FileTables,
    JobWorkersSchema,
    LtiTables,
    MessagingSchema,
    ParticipantTables,
    PartnerTables,
    PushSchema,
    SsoTables {
  users: UsersTable
  auth_sessions: AuthSessionsTable
  conference_sessions: ConferenceSessionsTable
  chat_messages: ChatMessagesTable
  calendar_links: CalendarLinksTable
  conferences: ConferencesTable
  blobs: BlobsTable
  recordings: RecordingsTable
  transcripts: TranscriptsTable
  jobs: JobsTable
}

export interface UsersTable {
  id: Generated<number>
  /** Lower case; never reused after the account is deleted (accounts/stores/deleted-accounts.ts). */
  login: string
  display_name: string
  kind: string
  password_hash: string | null
  capabilities: string
  /** Null: not chosen. */
  language: string | null
  /** In lower case; null: unknown. */
  email: string | null
  /** Whether missed calls are also sent by mail. */
  missed_call_mails: Generated<number>
  created_at: number
  /** When an administrator disabled the account; null: it is not disabled. */
  disabled_at: number | null
  deleted_at: number | null
}

export interface AuthSessionsTable {
  id: string
  user_id: number
  generation: number
  /** Null: not refreshed since this column was added. */
  secret_hash: string | null
  last_request: string | null
  network: string | null
  /** Null: unknown, like `platform`. */
  browser: string | null
  platform: string | null
  /** Null: not used since this column was added. */
  used_at: number | null
  created_at: number
  expires_at: number
  revoked_at: number | null
}

/** A unique index ensures at most one open session per tag. */
export interface ConferenceSessionsTable {
  id: Generated<number>
  tag: string
  started_at_ms: number
  /** Grows each time a server restores the session. */
  incarnation: number
  locked: number
  chat_mode: string
  /** JSON; `{}`: the defaults. */
  moderation: string
  /** JSON, like `members`. */
  removed: string
  members: string
  /** JSON: user ids and the times of raising. */
  hands: string
  ended_at_ms: number | null
  end_reason: string | null
  /** The lease of the server that runs the session; null: none does. `local`: the only server of an installation. */
  owner: string | null
}

/** Messages of all chats, unique by command of a user in a chat. */
export interface ChatMessagesTable {
  id: Generated<number>
  chat_id: string
  user_id: number
  command_id: string
  display_name: string
  text: string
  sent_at_ms: number
  edited_at_ms: number | null
  /** A ChatFile as JSON. */
  file: string | null
  /** When its sender or a moderator deleted it; the text is empty then. */
  deleted_at_ms: number | null
  /** 1: its sender was a moderator of the session at that time, or the platform. */
  by_moderator: Generated<number>
}

/** Metadata of stored files and uploads. */
export interface BlobsTable {
  id: string
  owner_id: number
  scope: string
  /** Null: unknown. */
  job_id: string | null
  name: string
  content_type: string
  size: number
  sha256: string
  /** writing, ready or removing */
  state: string
  /** The multipart upload of an object storage. */
  upload_id: string | null
  created_at: number
}

/** The archive: one record per job. */
export interface RecordingsTable {
  /** The order of indexing. */
  id: Generated<number>
  job_id: string
  owner_id: number | null
  conference_tag: string
  conference_session_id: number
  profile: string
  status: string
  started_at_ms: number
  ended_at_ms: number
  duration_ms: number
  output_dir: string
  /** JSON, like `artifact`. */
  files: string
  artifact: string
  indexed_at: number
  /** When partners were notified; null: not yet. */
  notified_at: number | null
}

/** Transcripts: one row per job. */
export interface TranscriptsTable {
  /** The order of storing. */
  id: Generated<number>
  job_id: string
  conference_tag: string
  conference_session_id: number
  status: string
  language: string
  engine: string
  started_at_ms: number
  ended_at_ms: number
  reason: string
  text: string
  /** JSON */
  segments: string
  indexed_at: number
  /** As in `recordings`. */
  notified_at: number | null
}

/** Jobs of workers. A unique index ensures at most one unfinished job of a kind per session. */
export interface JobsTable {
  id: string
  kind: string
  scope: string
  conference_session_id: number
  conference_tag: string
  /** JSON, like `details` and `result`. */
  params: string
  /** queued, leased, done, failed or cancelled */
  state: string
  stop_requested: number
  attempts: number
  /** The last owner, also after the lease expired or the job ended. */
  owner_user_id: number | null
  owner_worker_id: string | null
  lease_until_ms: number | null
  active: number
  details: string
  result: string | null
  /** The incarnation of the session at the last renewal. */
  session_incarnation: number
  /** How many conversions of the conference came within the hour before; 0 for other jobs. */
  turn: Generated<number>
  created_at_ms: number
  updated_at_ms: number
}

/** Tables of the integration module's own store: exactly these five (docs/install.md#partners). */
export interface IntegrationSchema {
  service_accounts: ServiceAccountsTable
  rooms: RoomsTable
  participants: ParticipantsTable
  webhook_subscriptions: WebhookSubscriptionsTable
  webhook_deliveries: WebhookDeliveriesTable
}

/** Operators may edit this table (docs/install.md#partners). */
export interface ServiceAccountsTable {
  name: string
  client_id: number
  secret_hash: string
  scopes: string
  enabled: number
  created_at: number
}

export interface RoomsTable {
  room_id: Generated<number>
  client_id: number
  external_id: string
  tag: string
  title: string
  description: string | null
  starts_at: string | null
  ends_at: string | null
  status: string
  teacher_name: string
  teacher_external_id: string | null
  teacher_link_version: number
  teacher_link_name: string
  student_name: string
  student_external_id: string | null
  student_link_version: number
  student_link_name: string
  /** keep, fresh or off; null: keep. */
  board: string | null
  /** Grows with every change; for optimistic locking. */
  revision: number
  /** JSON: settings of version 2 of the API, as far as they are not the usual ones. */
  settings: Generated<string>
  created_at: number
  updated_at: number
}

/** Identity key (owner_client_id, external_id) → the person's account (rules PERSON-1 and PERSON-2). */
export interface ParticipantsTable {
  owner_client_id: number
  external_id: string
  client_id: number
  created_at: number
}

export interface WebhookSubscriptionsTable {
  service_account: string
  url: string
  secret: string
  events: string
  enabled: number
  created_at: number
  updated_at: number
  /** The one that `secret` is replacing; null, or expired: none. */
  previous_secret: string | null
  previous_secret_expires_at_ms: number | null
}

export interface WebhookDeliveriesTable {
  id: string
  service_account: string
  event: string
  /** The subject of the event, e.g. a job: one delivery per subscription and subject. */
  subject: string
  body: string
  status: string
  attempts: number
  /** While it is being sent: the end of the lease. */
  next_attempt_at_ms: number | null
  lease: string | null
  response_status: number | null
  error: string | null
  created_at: number
  updated_at: number
  /** The attempts, newest first, a line of JSON each (partners/stores/attempt-history.ts). */
  history: Generated<string>
}

/** Conferences that users created. */
export interface ConferencesTable {
  tag: string
  /** open or lobby */
  entry: string
  title: string
  owner_id: number
  created_at_ms: number
  removed: number
  /** meeting, call or past_call */
  purpose: string
  /** When it is planned; null: it is not. */
  starts_at_ms: number | null
  ends_at_ms: number | null
  /** Null: not since it was created. */
  changed_at_ms: number | null
  /** Grows with every change. */
  revision: Generated<number>
}

/** Links of personal calendars. */
export interface CalendarLinksTable {
  user_id: number
  token_hash: string
  created_at_ms: number
}
