import { authSessionStore } from '../accounts/stores/auth-sessions.ts'
import { externalIdentityStore } from '../accounts/stores/external-identities.ts'
import { invitationStore } from '../accounts/stores/invitations.ts'
import { userStore } from '../accounts/stores/users.ts'
import { callSupervision } from '../messaging/stores/call-supervision.ts'
import { callStore } from '../messaging/stores/calls.ts'
import { contactStore } from '../messaging/stores/contacts.ts'
import { conversationStore } from '../messaging/stores/conversations.ts'
import { messageStore } from '../messaging/stores/messages.ts'
import { missedCallMailStore } from '../messaging/stores/missed-call-mails.ts'
import { pushCallOutboxStore } from '../messaging/stores/push-call-outbox.ts'
import { pushDeliveryStore } from '../messaging/stores/push-deliveries.ts'
import { pushOutboxStore } from '../messaging/stores/push-outbox.ts'
import { pushSubscriptionStore } from '../messaging/stores/push-subscriptions.ts'
import { administrationLists } from '../operations/stores/administration.ts'
import { auditStore } from '../operations/stores/audit.ts'
import { retentionStore } from '../operations/stores/retention.ts'
import { sampleStore } from '../operations/stores/samples.ts'
import { attendanceStore } from '../partners/stores/v2/attendance.ts'
import { AccessVersion } from '../platform/access-version.ts'
import { isPostgresUrl } from '../platform/config/database.ts'
import { openMainStore } from '../platform/db/open.ts'
import { lockForServer } from '../platform/db/sqlite/server-lock.ts'
import { statementSpans } from '../platform/db/statements.ts'
import { ensureRestored } from '../platform/restore-marker.ts'
import { openBlobs } from '../records/storage/open.ts'
import { blobIndex } from '../records/stores/blobs.ts'
import { fileStore } from '../records/stores/files.ts'
import { insiderStore } from '../records/stores/insiders.ts'
import { jobStore } from '../records/stores/jobs.ts'
import { ownRecordingStore } from '../records/stores/own-recordings.ts'
import { recordingRemovalStore } from '../records/stores/recording-removals.ts'
import { recordingStore } from '../records/stores/recordings.ts'
import { transcriptStore } from '../records/stores/transcripts.ts'
import { boardStore } from '../sessions/stores/boards.ts'
import { chatStore } from '../sessions/stores/chat.ts'
import { sessionStore } from '../sessions/stores/conference-sessions.ts'
import { ordinaryConferenceStore } from '../sessions/stores/conferences.ts'
import { participantStore } from '../sessions/stores/participants.ts'
import { leaseStore } from '../sessions/stores/session-leases.ts'
import type { ServerContext } from './context.ts'

export type Stores = Awaited<ReturnType<typeof composeStores>>

/** The database and the files. */
export async function composeStores({
  config,
  clock,
  log,
  lifetime,
  tracing,
}: Pick<ServerContext, 'config' | 'clock' | 'log' | 'lifetime' | 'tracing'>) {
  ensureRestored(config)
  if (!isPostgresUrl(config.Db.Url))
    lifetime.own('server lock', lockForServer(config.Db.Url), release => release())
  const main = lifetime.own(
    'main store',
    await openMainStore(config.Db.Url, {
      maxConnections: config.Db.MaxConnections,
      onStatement: statementSpans(tracing),
    }),
    store => store.close(),
  )
  const { db, dialect } = main
  const accessVersion = new AccessVersion()
  accessVersion.watch(main.accessChanges)
  const blobs = await openBlobs({ storage: config.Storage, index: blobIndex(db), clock, log })
  lifetime.own('files', blobs, each => each.close())
  return {
    accessVersion,
    /** The database itself, for what concerns it as a whole. */
    main,
    externalIdentities: externalIdentityStore(db),
    users: userStore(db, accessVersion.bump),
    invitations: invitationStore(db, accessVersion.bump),
    audit: auditStore(db),
    administration: administrationLists(db),
    samples: sampleStore(db),
    authSessions: authSessionStore(db, accessVersion.bump),
    conferences: ordinaryConferenceStore(db),
    sessions: sessionStore(db),
    participants: participantStore(db),
    attendance: attendanceStore(db),
    leases: leaseStore(db, dialect.nowMs, main.urgent),
    chat: chatStore(db),
    boards: boardStore(db),
    messages: messageStore(db, { isPushEnabled: config.Push.Enabled }),
    conversations: conversationStore(db),
    contacts: contactStore(db),
    calls: callStore(db, { isForPush: config.Push.Enabled, isForMail: config.Mail.Url !== '' }),
    /** Supervision of calls by a server of a cluster. */
    callSupervision: (serverId: string) => callSupervision(db, dialect.nowMs, serverId),
    jobs: jobStore(db),
    files: fileStore(db),
    insiders: insiderStore(db),
    recordings: recordingStore(db),
    ownRecordings: ownRecordingStore(db),
    recordingRemovals: recordingRemovalStore(db),
    transcripts: transcriptStore(db),
    retention: retentionStore(db),
    pushSubscriptions: pushSubscriptionStore(db),
    pushDeliveries: pushDeliveryStore(db),
    pushOutbox: pushOutboxStore(db),
    pushCallOutbox: pushCallOutboxStore(db),
    missedCallMails: missedCallMailStore(db),
    blobs,
    isReady: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      return true
    },
  }
}
