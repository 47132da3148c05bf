import type { Generated } from 'kysely'

/** Tables of version 2 of the partner API (decision 152). Rooms and service accounts are in the store of the module. */
export interface PartnerTables {
  partner_people: PartnerPeopleTable
  partner_attendance: PartnerAttendanceTable
  partner_outbox: PartnerOutboxTable
  partner_events: PartnerEventsTable
  partner_sequences: PartnerSequencesTable
  partner_endpoints: PartnerEndpointsTable
  partner_deliveries: PartnerDeliveriesTable
  partner_requests: PartnerRequestsTable
  partner_links: PartnerLinksTable
  partner_room_deletions: PartnerRoomDeletionsTable
  partner_usage: PartnerUsageTable
  partner_retention: PartnerRetentionTable
  partner_owners: PartnerOwnersTable
}

interface PartnerPeopleTable {
  id: Generated<number>
  client_id: number
  tag: string
  external_id: string
  /** Random; part of the personal link. */
  key: string
  display_name: string
  role: string
  link_version: number
  /** JSON */
  metadata: string
}

/** The attendance in the rooms of partners: a row for each participant of a session. */
interface PartnerAttendanceTable {
  participant_id: string
  session_id: number
  tag: string
  user_id: number
  display_name: string
  /** moderator or participant */
  role: string
  joined_at_ms: number
  left_at_ms: number | null
  reason: string | null
}

/** Occurrences that wait to become events. Triggers write them in the transaction of the change (decision 153). */
interface PartnerOutboxTable {
  id: Generated<number>
  tag: string
  type: string
  /** The subject of the event, e.g. `session:7`, unique for its type and room. */
  subject: string
  at_ms: number
  /** JSON: what no table has. */
  data: string
}

interface PartnerEventsTable {
  client_id: number
  /** Counts the events of the technical user. */
  position: number
  id: string
  tag: string
  type: string
  subject: string
  body: string
  created_at_ms: number
}

/** Last numbers: of a room by its tag, and of the technical user's events by ''. */
interface PartnerSequencesTable {
  client_id: number
  name: string
  last: number
}

interface PartnerEndpointsTable {
  id: string
  service_account: string
  client_id: number
  url: string
  secret: string
  previous_secret: string | null
  previous_secret_expires_at_ms: number | null
  /** JSON */
  events: string
  enabled: number
  description: string | null
  /** Since when no attempt succeeded; null: the last one did. */
  failing_since_ms: number | null
  /** About: it is not written for each failure. Null: not known. */
  last_failure_at_ms: Generated<number | null>
  disabled_reason: string | null
  created_at_ms: number
}

interface PartnerDeliveriesTable {
  /** In the order of the events. */
  seq: Generated<number>
  id: string
  endpoint_id: string
  event_id: string
  type: string
  /** Null: the time of the event. */
  body: string | null
  status: string
  attempts: number
  next_attempt_at_ms: number | null
  lease: string | null
  response_status: number | null
  error: string | null
  /** As in `webhook_deliveries`. */
  history: Generated<string>
  created_at_ms: number
}

/** Requests with an Idempotency-Key. */
interface PartnerRequestsTable {
  service_account: string
  key: string
  fingerprint: string
  /** Null: it is being handled. */
  status: number | null
  body: string
  created_at_ms: number
}

/** Links to files of recordings. */
interface PartnerLinksTable {
  id: string
  client_id: number
  job_id: string
  blob_id: string
  disposition: string
  expires_at_ms: number
}

/** Deleted rooms of which something remains. */
interface PartnerRoomDeletionsTable {
  tag: string
  client_id: number
  external_id: string
  /** JSON */
  metadata: string
  /** JSON: the external ids of its people. */
  people: string
  requested_at_ms: number
}

/** By month, as `2030-09`. */
interface PartnerUsageTable {
  client_id: number
  month: string
  participant_ms: number
  recorded_ms: number
  webhooks: number
}

/** Days for which recordings of technical users are kept; no row: for ever. */
interface PartnerRetentionTable {
  client_id: number
  keep_days: number
}

/** People who act for technical users. */
interface PartnerOwnersTable {
  /** The technical user. */
  client_id: number
  user_id: number
  created_at: number
}
