import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'
import { accessChanges } from './access.ts'
import { accessPaths, sizesOfBlobs } from './access-paths.ts'
import { accountSettings } from './account.ts'
import { administration, charts, chartsOfServers, indexesOfLists, jobsOfConferences } from './admin.ts'
import { authorsOfMessages } from './authors-of-messages.ts'
import { boards } from './board.ts'
import { calendars } from './calendar.ts'
import { callSupervisors, calls } from './calls.ts'
import { sessionOwners } from './cluster.ts'
import { removedConferences } from './conferences.ts'
import { conferenceFiles } from './files.ts'
import { filesOfMessages } from './files-of-messages.ts'
import { jobWorkers, languagesOfWorkers, officeOfWorkers } from './job-workers.ts'
import { incarnationsOfJobs, turnsOfJobs } from './jobs.ts'
import { lti } from './lti.ts'
import { mailAddresses, missedCallMails } from './mail.ts'
import {
  changesOfMessages,
  conversations,
  conversationsOfConferences,
  invitationsToConversations,
} from './messaging.ts'
import { moderation } from './moderation.ts'
import { standardNames } from './names.ts'
import { sessionParticipants } from './participants.ts'
import { failuresOfEndpoints } from './partner-failures.ts'
import { partnerLists } from './partner-lists.ts'
import { partnerOwners } from './partner-owners.ts'
import { partnerRetention } from './partner-retention.ts'
import { partnerApi } from './partner-v2.ts'
import { orderOfPushSubscriptions, push, pushCallOutbox, pushOutbox } from './push.ts'
import { ownRecordings } from './recordings.ts'
import { slidesOfBoards } from './slides.ts'
import { externalIdentities } from './sso.ts'
import { multipartUploads } from './storage.ts'

const accounts: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', autoId)
    .addColumn('login', 'text', column => column.notNull().unique())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('capabilities', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('auth_sessions')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id'))
    .addColumn('generation', 'integer', column => column.notNull())
    .addColumn('last_request', 'text')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema.createIndex('auth_sessions_user').on('auth_sessions').column('user_id').execute()
  await db.schema.createIndex('auth_sessions_expiry').on('auth_sessions').column('expires_at').execute()
}

const conferences: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('conference_sessions')
    .addColumn('id', 'integer', autoId)
    .addColumn('tag', 'text', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('life', 'integer', column => column.notNull())
    .addColumn('locked', 'integer', column => column.notNull())
    .addColumn('chat_mode', 'text', column => column.notNull())
    .addColumn('removed', 'text', column => column.notNull())
    .addColumn('inside', 'text', column => column.notNull())
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('end_reason', 'text')
    .execute()
  await db.schema
    .createIndex('conference_sessions_open')
    .unique()
    .on('conference_sessions')
    .column('tag')
    .where(sql.ref('ended_at_ms'), 'is', null)
    .execute()
  await db.schema
    .createTable('chat_messages')
    .addColumn('id', 'integer', autoId)
    .addColumn('chat_id', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('command_id', 'text', column => column.notNull())
    .addColumn('display_name', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('sent_at_ms', 'bigint', column => column.notNull())
    .addUniqueConstraint('chat_messages_command', ['chat_id', 'user_id', 'command_id'])
    .execute()
  await db.schema.createIndex('chat_messages_chat').on('chat_messages').columns(['chat_id', 'id']).execute()
}

const ordinaryConferences: Migration = async db => {
  await db.schema
    .createTable('conferences')
    .addColumn('tag', 'text', column => column.primaryKey())
    .addColumn('title', 'text', column => column.notNull())
    .addColumn('owner_id', 'integer', column => column.notNull())
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addColumn('removed', 'integer', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('conferences_owner')
    .on('conferences')
    .columns(['owner_id', 'created_at_ms'])
    .execute()
}

const archive: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('blobs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('owner_id', 'integer', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('content_type', 'text', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('sha256', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('recordings')
    .addColumn('id', 'integer', autoId)
    .addColumn('job_id', 'text', column => column.notNull().unique())
    .addColumn('owner_id', 'integer')
    .addColumn('conference_tag', 'text', column => column.notNull())
    .addColumn('conference_session_id', 'integer', column => column.notNull())
    .addColumn('profile', 'text', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('ended_at_ms', 'bigint', column => column.notNull())
    .addColumn('duration_ms', 'bigint', column => column.notNull())
    .addColumn('output_dir', 'text', column => column.notNull())
    .addColumn('files', 'text', column => column.notNull())
    .addColumn('artifact', 'text', column => column.notNull())
    .addColumn('indexed_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('recordings_owner').on('recordings').columns(['owner_id', 'id']).execute()
}

const jobs: Migration = async db => {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('conference_session_id', 'integer', column => column.notNull())
    .addColumn('conference_tag', 'text', column => column.notNull())
    .addColumn('params', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('stop_asked', 'integer', column => column.notNull())
    .addColumn('attempts', 'integer', column => column.notNull())
    .addColumn('owner_user_id', 'integer')
    .addColumn('owner_worker_id', 'text')
    .addColumn('lease_until_ms', 'bigint')
    .addColumn('active', 'integer', column => column.notNull())
    .addColumn('details', 'text', column => column.notNull())
    .addColumn('result', 'text')
    .addColumn('created_at_ms', 'bigint', column => column.notNull())
    .addColumn('updated_at_ms', 'bigint', column => column.notNull())
    .execute()
  const isUnfinished = sql<boolean>`state IN ('queued', 'leased')`
  await db.schema
    .createIndex('jobs_one_of_a_session')
    .unique()
    .on('jobs')
    .columns(['conference_session_id', 'kind'])
    .where(sql<boolean>`${isUnfinished} AND stop_asked = 0`)
    .execute()
  await db.schema
    .createIndex('jobs_going_on')
    .on('jobs')
    .column('created_at_ms')
    .where(isUnfinished)
    .execute()
}

/** Transcripts, and the marks of notified records. */
const transcripts: Migration = async (db, { autoId }) => {
  await db.schema
    .createTable('transcripts')
    .addColumn('id', 'integer', autoId)
    .addColumn('job_id', 'text', column => column.notNull().unique())
    .addColumn('conference_tag', 'text', column => column.notNull())
    .addColumn('conference_session_id', 'integer', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('language', 'text', column => column.notNull())
    .addColumn('engine', 'text', column => column.notNull())
    .addColumn('started_at_ms', 'bigint', column => column.notNull())
    .addColumn('ended_at_ms', 'bigint', column => column.notNull())
    .addColumn('reason', 'text', column => column.notNull())
    .addColumn('text', 'text', column => column.notNull())
    .addColumn('segments', 'text', column => column.notNull())
    .addColumn('indexed_at', 'bigint', column => column.notNull())
    .addColumn('told_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('transcripts_conference')
    .on('transcripts')
    .columns(['conference_tag', 'id'])
    .execute()
  await db.schema.alterTable('recordings').addColumn('told_at', 'bigint').execute()
  for (const table of ['recordings', 'transcripts'])
    await db.schema
      .createIndex(`${table}_untold`)
      .on(table)
      .column('id')
      .where(sql.ref('told_at'), 'is', null)
      .execute()
  await db.schema.createIndex('jobs_by_age').on('jobs').columns(['state', 'updated_at_ms']).execute()
}

/** The job of a file; unknown for older ones. */
const jobsOfBlobs: Migration = async db => {
  await db.schema.alterTable('blobs').addColumn('job_id', 'text').execute()
}

/** Refresh tokens with a secret per session, instead of one derived from JwtSecret. */
const secretsOfSessions: Migration = async db => {
  await db.schema.alterTable('auth_sessions').addColumn('secret_hash', 'text').execute()
}

/** Raised hands, which survive a restart. */
const raisedHands: Migration = async db => {
  await db.schema
    .alterTable('conference_sessions')
    .addColumn('hands', 'text', column => column.notNull().defaultTo('[]'))
    .execute()
}

/** The network of password sign-ins, as a hash. */
const networksOfSessions: Migration = async db => {
  await db.schema.alterTable('auth_sessions').addColumn('network', 'text').execute()
}

/** Accounts that enter without the lobby; for older sessions, those who were in a locked one. */
const admission: Migration = async db => {
  await db.schema.alterTable('conference_sessions').renameColumn('inside', 'members').execute()
  await db.schema
    .createIndex('conference_sessions_ended')
    .on('conference_sessions')
    .columns(['tag', 'id'])
    .where(sql.ref('ended_at_ms'), 'is not', null)
    .execute()
  await db.schema
    .alterTable('conferences')
    .addColumn('entry', 'text', column => column.notNull().defaultTo('open'))
    .execute()
}

/** The main store's history. Append only. */
export const mainMigrations: readonly Migration[] = [
  accounts,
  conferences,
  ordinaryConferences,
  archive,
  jobs,
  transcripts,
  jobsOfBlobs,
  secretsOfSessions,
  raisedHands,
  networksOfSessions,
  admission,
  accountSettings,
  changesOfMessages,
  ownRecordings,
  ...administration,
  calls,
  push,
  charts,
  externalIdentities,
  conversations,
  accessChanges,
  callSupervisors,
  pushOutbox,
  sessionOwners,
  conversationsOfConferences,
  chartsOfServers,
  multipartUploads,
  jobWorkers,
  moderation,
  incarnationsOfJobs,
  pushCallOutbox,
  indexesOfLists,
  sessionParticipants,
  languagesOfWorkers,
  orderOfPushSubscriptions,
  invitationsToConversations,
  removedConferences,
  standardNames,
  jobsOfConferences,
  boards,
  conferenceFiles,
  partnerApi,
  slidesOfBoards,
  lti,
  filesOfMessages,
  calendars,
  mailAddresses,
  partnerRetention,
  accessPaths,
  partnerOwners,
  missedCallMails,
  officeOfWorkers,
  authorsOfMessages,
  turnsOfJobs,
  partnerLists,
  failuresOfEndpoints,
  sizesOfBlobs,
]
