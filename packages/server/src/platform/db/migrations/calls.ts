import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Calls between accounts, and conferences that exist for calls only. */
export const calls: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('calls')
    .addColumn('id', 'integer', autoId)
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('owns_conference', 'integer', column => column.notNull())
    .addColumn('video', 'integer', column => column.notNull())
    .addColumn('inviter_id', 'integer', column => column.notNull())
    .addColumn('inviter_name', 'text', column => column.notNull())
    .addColumn('command_id', 'text', column => column.notNull())
    .addColumn('pair', 'text')
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addColumn('ring_until_ms', 'bigint', column => column.notNull())
    .addColumn('answered_at_ms', 'bigint')
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('revision', 'integer', column => column.notNull())
    .addUniqueConstraint('calls_command', ['inviter_id', 'command_id'])
    .execute()
  await db.schema
    .createIndex('calls_ringing_pair')
    .unique()
    .on('calls')
    .column('pair')
    .where(sql.ref('state'), '=', sql.lit('ringing'))
    .execute()
  await db.schema
    .createIndex('calls_open')
    .on('calls')
    .columns(['state', 'id'])
    .where(sql.ref('state'), '<>', sql.lit('ended'))
    .execute()
  await db.schema.createIndex('calls_inviter').on('calls').columns(['inviter_id', 'id']).execute()
  await db.schema.createIndex('calls_tag').on('calls').column('tag').execute()
  await db.schema
    .createTable('call_people')
    .addColumn('call_id', 'integer', column => column.notNull().references('calls.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('answer_id', 'text')
    .addPrimaryKeyConstraint('call_people_key', ['call_id', 'user_id'])
    .execute()
  await db.schema.createIndex('call_people_user').on('call_people').columns(['user_id', 'call_id']).execute()
  await db.schema
    .createIndex('call_people_missed')
    .on('call_people')
    .columns(['user_id', 'call_id'])
    .where(sql.ref('state'), '=', sql.lit('missed'))
    .execute()
  await db.schema
    .createIndex('call_people_answer')
    .on('call_people')
    .columns(['user_id', 'answer_id'])
    .where(sql.ref('answer_id'), 'is not', null)
    .execute()
  await db.schema
    .createTable('call_seen')
    .addColumn('user_id', 'integer', column => column.primaryKey())
    .addColumn('call_id', 'integer', column => column.notNull())
    .execute()
  await db.schema
    .alterTable('conferences')
    .addColumn('purpose', 'text', column => column.notNull().defaultTo('meeting'))
    .execute()
}

/** The server that supervises an open call. */
export const callSupervisors: Migration = async db => {
  await db.schema.alterTable('calls').addColumn('supervisor', 'text').execute()
  await db.schema
    .alterTable('calls')
    .addColumn('supervised_until_ms', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
}
