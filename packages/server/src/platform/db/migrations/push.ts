import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Push subscriptions, the sign-ins they end with, and the queue of pushes. */
export const push: Migration = async db => {
  await db.schema
    .createTable('push_subscriptions')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('endpoint', 'text', column => column.notNull())
    .addColumn('provider', 'text', column => column.notNull())
    .addColumn('token', 'text', column => column.notNull())
    .addColumn('p256dh', 'text', column => column.notNull())
    .addColumn('auth', 'text', column => column.notNull())
    .addColumn('permission', 'text', column => column.notNull())
    .addColumn('platform', 'text', column => column.notNull())
    .addColumn('user_agent', 'text', column => column.notNull())
    .addColumn('expiration_time', 'bigint')
    .addColumn('subscription_json', 'text', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('push_subscriptions_key', ['client_id', 'endpoint'])
    .execute()
  await db.schema
    .createIndex('push_subscriptions_endpoint')
    .on('push_subscriptions')
    .column('endpoint')
    .execute()
  await db.schema
    .createTable('push_subscription_sign_ins')
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('endpoint', 'text', column => column.notNull())
    .addColumn('auth_session_id', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('push_subscription_sign_ins_key', ['client_id', 'endpoint'])
    .execute()
  await db.schema
    .createTable('push_deliveries')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('client_id', 'integer', column => column.notNull())
    .addColumn('endpoint', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('topic', 'text', column => column.notNull())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('payload', 'text', column => column.notNull())
    .addColumn('priority', 'integer', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('next_attempt_at_ms', 'bigint', column => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('expires_at_ms', 'bigint', column => column.notNull())
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('error', 'text')
    .addUniqueConstraint('push_deliveries_topic', ['target', 'topic'])
    .execute()
  await db.schema
    .createIndex('push_deliveries_due')
    .on('push_deliveries')
    .columns(['priority', 'next_attempt_at_ms'])
    .where(sql.ref('state'), '=', sql.lit('pending'))
    .execute()
  await db.schema
    .createIndex('push_deliveries_account')
    .on('push_deliveries')
    .columns(['client_id', 'created_at_ms'])
    .execute()
}

/** The order of the updates of an account: its times are seconds. */
export const orderOfPushSubscriptions: Migration = async db => {
  await db.schema
    .alterTable('push_subscription_sign_ins')
    .addColumn('revision', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}

/** New messages whose notifications may not be stored yet. */
export const pushOutbox: Migration = async db => {
  await db.schema
    .createTable('push_outbox')
    .addColumn('message_id', 'integer', column => column.primaryKey())
    .execute()
}

/** Changes of calls whose notifications may not be stored yet. */
export const pushCallOutbox: Migration = async db => {
  await db.schema
    .createTable('push_call_outbox')
    .addColumn('call_id', 'integer', column => column.notNull())
    .addColumn('revision', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('push_call_outbox_key', ['call_id', 'revision'])
    .execute()
}
