import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

/** Version 2 of the partner API: its tables are in the main store, beside what its events are about (decision 152). */
export const partnerApi: Migration = async (db, { autoId, countAccessChanges }) => {
  await db.schema
    .createTable('partner_people')
    .addColumn('id', 'integer', autoId)
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('external_id', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull().unique())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('link_version', 'integer', column => column.notNull())
    .addColumn('metadata', 'text', column => column.notNull())
    .addUniqueConstraint('partner_people_of_room', ['tag', 'external_id'])
    .execute()
  await db.schema
    .createIndex('partner_people_of_client')
    .on('partner_people')
    .columns(['client_id', 'external_id'])
    .execute()
  await countAccessChanges(db, { table: 'partner_people', columns: ['link_version', 'role'] })

  await db.schema
    .createTable('partner_attendance')
    .addColumn('participant_id', 'text', column => column.primaryKey().notNull())
    .addColumn('session_id', 'integer', column => column.notNull())
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('role', 'text', column => column.notNull())
    .addColumn('joined_at_ms', 'bigint', column => column.notNull())
    .addColumn('left_at_ms', 'bigint')
    .addColumn('reason', 'text')
    .execute()
  await index(db, 'partner_attendance', ['session_id'])
  await index(db, 'partner_attendance', ['tag'])
  await index(db, 'partner_attendance', ['user_id'])

  await db.schema
    .createTable('partner_outbox')
    .addColumn('id', 'integer', autoId)
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addColumn('data', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('partner_events')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('position', 'bigint', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('partner_events_position', ['client_id', 'position'])
    .addUniqueConstraint('partner_events_subject', ['tag', 'type', 'subject'])
    .execute()
  await index(db, 'partner_events', ['created_at_ms'])
  await db.schema
    .createTable('partner_sequences')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('last', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('partner_sequences_name', ['client_id', 'name'])
    .execute()

  await db.schema
    .createTable('partner_endpoints')
    .addColumn('id', 'text', column => column.primaryKey().notNull())
    .addColumn('service_account', 'text', column => column.notNull())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('previous_secret', 'text')
    .addColumn('previous_secret_expires_at_ms', 'bigint')
    .addColumn('events', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('description', 'text')
    .addColumn('failing_since_ms', 'bigint')
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .execute()
  await index(db, 'partner_endpoints', ['service_account'])
  await index(db, 'partner_endpoints', ['client_id'])
  await db.schema
    .createTable('partner_deliveries')
    .addColumn('seq', 'integer', autoId)
    .addColumn('id', 'text', column => column.notNull().unique())
    .addColumn('endpoint_id', 'text', column => column.notNull())
    .addColumn('event_id', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('body', 'text')
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at_ms', 'bigint')
    .addColumn('lease', 'text')
    .addColumn('response_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('history', 'text', column => column.notNull().defaultTo(''))
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .execute()
  await index(db, 'partner_deliveries', ['endpoint_id', 'status', 'next_attempt_at_ms'])
  await index(db, 'partner_deliveries', ['endpoint_id', 'seq'])
  await index(db, 'partner_deliveries', ['event_id'])
  await index(db, 'partner_deliveries', ['created_at_ms'])

  await db.schema
    .createTable('partner_requests')
    .addColumn('service_account', 'text', column => column.notNull())
    .addColumn('key', 'text', column => column.notNull())
    .addColumn('fingerprint', 'text', column => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('partner_requests_key', ['service_account', 'key'])
    .execute()
  await index(db, 'partner_requests', ['created_at_ms'])
  await db.schema
    .createTable('partner_links')
    .addColumn('id', 'text', column => column.primaryKey().notNull())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('job_id', 'text', column => column.notNull())
    .addColumn('blob_id', 'text', column => column.notNull())
    .addColumn('disposition', 'text', column => column.notNull())
    .addColumn('expires_at_ms', 'bigint', column => column.notNull())
    .execute()
  await index(db, 'partner_links', ['job_id'])
  await db.schema
    .createTable('partner_room_deletions')
    .addColumn('tag', 'text', column => column.primaryKey().notNull())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('external_id', 'text', column => column.notNull())
    .addColumn('metadata', 'text', column => column.notNull())
    .addColumn('people', 'text', column => column.notNull())
    .addColumn('requested_at_ms', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('partner_usage')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('month', 'text', column => column.notNull())
    .addColumn('participant_ms', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('recorded_ms', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('webhooks', 'bigint', column => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('partner_usage_month', ['client_id', 'month'])
    .execute()
  await notePartnerEvents(db)
}

const index = (db: Kysely<unknown>, table: string, columns: string[]) =>
  db.schema
    .createIndex(`${table}_${columns.map(each => each.replace(/_at_ms$/, '')).join('_')}`)
    .on(table)
    .columns(columns)
    .execute()

interface Note {
  name: string
  on: string
  table: string
  when: string
  /** Statements before the note. */
  also?: string
  type: string
  tag: string
  subject: string
  at: string
}

const ended = 'old.ended_at_ms IS NULL AND new.ended_at_ms IS NOT NULL'

/** Facts about conferences that are not ordinary ones; the database notes them, whoever writes them. */
const NOTES: Note[] = [
  {
    name: 'room_started',
    on: 'INSERT',
    table: 'conference_sessions',
    when: '',
    type: 'room.started',
    tag: 'tag',
    subject: "'session:' || new.id",
    at: 'new.started_at_ms',
  },
  {
    name: 'room_ended',
    on: 'UPDATE OF ended_at_ms',
    table: 'conference_sessions',
    when: ended,
    also: `UPDATE partner_attendance SET left_at_ms = new.ended_at_ms, reason = 'ended'
      WHERE session_id = new.id AND left_at_ms IS NULL;`,
    type: 'room.ended',
    tag: 'tag',
    subject: "'session:' || new.id",
    at: 'new.ended_at_ms',
  },
  {
    name: 'joined',
    on: 'INSERT',
    table: 'partner_attendance',
    when: '',
    type: 'participant.joined',
    tag: 'tag',
    subject: "'participant:' || new.participant_id",
    at: 'new.joined_at_ms',
  },
  {
    name: 'left',
    on: 'UPDATE OF left_at_ms',
    table: 'partner_attendance',
    when: 'old.left_at_ms IS NULL AND new.left_at_ms IS NOT NULL',
    type: 'participant.left',
    tag: 'tag',
    subject: "'participant:' || new.participant_id",
    at: 'new.left_at_ms',
  },
  {
    name: 'recording_started',
    on: 'UPDATE OF active',
    table: 'jobs',
    when: "new.kind = 'recording' AND new.active = 1 AND old.active <> 1",
    type: 'recording.started',
    tag: 'conference_tag',
    subject: "'job:' || new.id",
    at: 'new.updated_at_ms',
  },
  {
    name: 'recording_failed',
    on: 'UPDATE OF state',
    table: 'jobs',
    when: "new.kind = 'recording' AND new.state = 'failed' AND old.state <> 'failed'",
    type: 'recording.failed',
    tag: 'conference_tag',
    subject: "'job:' || new.id",
    at: 'new.updated_at_ms',
  },
  {
    name: 'recording_ready',
    on: 'INSERT',
    table: 'recordings',
    when: '',
    type: 'recording.ready',
    tag: 'conference_tag',
    subject: "'job:' || new.job_id",
    at: 'new.indexed_at * 1000',
  },
  {
    name: 'recording_deleted',
    on: 'UPDATE OF completed_at',
    table: 'recording_removals',
    when: 'old.completed_at IS NULL AND new.completed_at IS NOT NULL',
    type: 'recording.deleted',
    tag: 'conference_tag',
    subject: "'job:' || new.job_id",
    at: 'new.completed_at * 1000',
  },
  {
    name: 'transcribed',
    on: 'INSERT',
    table: 'transcripts',
    when: '',
    type: 'transcription.ready',
    tag: 'conference_tag',
    subject: "'job:' || new.job_id",
    at: 'new.indexed_at * 1000',
  },
]

async function notePartnerEvents(db: Kysely<unknown>): Promise<void> {
  for (const { name, on, table, when, also = '', type, tag, subject, at } of NOTES) {
    const isPartners = `NOT EXISTS (SELECT 1 FROM conferences WHERE conferences.tag = new.${tag})`
    const note = `INSERT INTO partner_outbox (tag, type, subject, at_ms, data)
      VALUES (new.${tag}, '${type}', ${subject}, ${at}, '{}');`
    const trigger = `partner_${name}`
    if (!isPostgres(db)) {
      const condition = [when, isPartners].filter(Boolean).join(' AND ')
      await sql
        .raw(`CREATE TRIGGER ${trigger} AFTER ${on} ON ${table} WHEN ${condition} BEGIN ${also} ${note} END`)
        .execute(db)
      continue
    }
    await sql
      .raw(
        `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF ${isPartners} THEN ${also} ${note} END IF; RETURN NULL; END $$`,
      )
      .execute(db)
    await sql
      .raw(
        `CREATE TRIGGER ${trigger} AFTER ${on} ON ${table} FOR EACH ROW
          ${when && `WHEN (${when})`} EXECUTE FUNCTION ${trigger}()`,
      )
      .execute(db)
  }
}
