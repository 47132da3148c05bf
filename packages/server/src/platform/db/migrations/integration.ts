import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { accessChangesOfLinks } from './access.ts'
import { subjectsOfWebhooks } from './access-paths.ts'
import { indexesOfPartnerLists } from './admin.ts'
import { partnerTools, settingsOfRooms } from './partner-tools.ts'
import { boardsOfRooms } from './rooms.ts'

const module: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('service_accounts')
    .addColumn('name', 'text', column => column.primaryKey().notNull())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('secret_hash', 'text', column => column.notNull())
    .addColumn('scopes', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull().defaultTo(1))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('rooms')
    .addColumn('room_id', 'integer', autoId)
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('external_id', 'text', column => column.notNull())
    .addColumn('tag', 'text', column => column.notNull().unique())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('description', 'text')
    .addColumn('starts_at', 'text')
    .addColumn('ends_at', 'text')
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('teacher_name', 'text', column => column.notNull())
    .addColumn('teacher_external_id', 'text')
    .addColumn('teacher_link_version', 'integer', column => column.notNull())
    .addColumn('teacher_link_name', 'text', column => column.notNull())
    .addColumn('student_name', 'text', column => column.notNull())
    .addColumn('student_external_id', 'text')
    .addColumn('student_link_version', 'integer', column => column.notNull())
    .addColumn('student_link_name', 'text', column => column.notNull())
    .addColumn('revision', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addUniqueConstraint('rooms_external_id', ['client_id', 'external_id'])
    .execute()
  await db.schema
    .createTable('participants')
    .addColumn('owner_client_id', 'integer', column => column.notNull())
    .addColumn('external_id', 'text', column => column.notNull())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('participants_identity', ['owner_client_id', 'external_id'])
    .execute()
  await db.schema
    .createTable('webhook_subscriptions')
    .addColumn('service_account', 'text', column => column.primaryKey().notNull())
    .addColumn('url', 'text', column => column.notNull())
    .addColumn('secret', 'text', column => column.notNull())
    .addColumn('events', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'text', column => column.primaryKey().notNull())
    .addColumn('service_account', 'text', column => column.notNull())
    .addColumn('event', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('body', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('response_status', 'integer')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addUniqueConstraint('webhook_deliveries_subject', ['service_account', 'event', 'subject'])
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['status', 'next_attempt_at'])
    .execute()
}

/** Deliveries are due to the millisecond, and leased while they are being sent. */
const deliveryQueue: Migration = async db => {
  await db.schema.dropIndex('webhook_deliveries_due').execute()
  await db.schema
    .alterTable('webhook_deliveries')
    .renameColumn('next_attempt_at', 'next_attempt_at_ms')
    .execute()
  await sql`UPDATE webhook_deliveries SET next_attempt_at_ms = next_attempt_at_ms * 1000`.execute(db)
  await db.schema.alterTable('webhook_deliveries').addColumn('lease', 'text').execute()
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['service_account', 'status', 'next_attempt_at_ms'])
    .execute()
  await db.schema
    .createIndex('webhook_deliveries_status')
    .on('webhook_deliveries')
    .columns(['status', 'created_at'])
    .execute()
}

/** Each event queries the accounts of a client. */
const accountsByClient: Migration = async db => {
  await db.schema
    .createIndex('service_accounts_client_id')
    .on('service_accounts')
    .column('client_id')
    .execute()
}

/** The attempts of a delivery. */
const attemptHistory: Migration = async db => {
  await db.schema
    .alterTable('webhook_deliveries')
    .addColumn('history', 'text', column => column.notNull().defaultTo(''))
    .execute()
}

/** The integration store's history. Append only. */
export const integrationMigrations: readonly Migration[] = [
  module,
  deliveryQueue,
  accountsByClient,
  accessChangesOfLinks,
  attemptHistory,
  indexesOfPartnerLists,
  partnerTools,
  settingsOfRooms,
  boardsOfRooms,
  subjectsOfWebhooks,
]
