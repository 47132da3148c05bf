import { AccessVersion } from '../access-version.ts'
import { isPostgresUrl } from '../config/database.ts'
import { administrationLists } from '../db/administration.ts'
import { auditStore } from '../db/audit.ts'
import { authSessionStore } from '../db/auth-sessions.ts'
import { blobIndex } from '../db/blobs.ts'
import { boardStore } from '../db/boards.ts'
import { callSupervision } from '../db/call-supervision.ts'
import { callStore } from '../db/calls.ts'
import { chatStore } from '../db/chat.ts'
import { sessionStore } from '../db/conference-sessions.ts'
import { ordinaryConferenceStore } from '../db/conferences.ts'
import { externalIdentityStore } from '../db/external-identities.ts'
import { invitationStore } from '../db/invitations.ts'
import { jobStore } from '../db/jobs.ts'
import { contactStore } from '../db/messaging/contacts.ts'
import { conversationStore } from '../db/messaging/conversations.ts'
import { messageStore } from '../db/messaging/messages.ts'
import { openMainStore } from '../db/open.ts'
import { ownRecordingStore } from '../db/own-recordings.ts'
import { participantStore } from '../db/participants.ts'
import { pushCallOutboxStore } from '../db/push-call-outbox.ts'
import { pushDeliveryStore } from '../db/push-deliveries.ts'
import { pushOutboxStore } from '../db/push-outbox.ts'
import { pushSubscriptionStore } from '../db/push-subscriptions.ts'
import { recordingRemovalStore } from '../db/recording-removals.ts'
import { recordingStore } from '../db/recordings.ts'
import { sampleStore } from '../db/samples.ts'
import { leaseStore } from '../db/session-leases.ts'
import { lockForServer } from '../db/sqlite/server-lock.ts'
import { statementSpans } from '../db/statements.ts'
import { transcriptStore } from '../db/transcripts.ts'
import { userStore } from '../db/users.ts'
import { ensureRestored } from '../restore-marker.ts'
import { openBlobs } from '../storage/open.ts'
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
    leases: leaseStore(db, dialect.nowMs),
    chat: chatStore(db),
    boards: boardStore(db),
    messages: messageStore(db, { isPushEnabled: config.Push.Enabled }),
    conversations: conversationStore(db),
    contacts: contactStore(db),
    calls: callStore(db, { isForPush: config.Push.Enabled }),
    /** Of a server of a cluster. */
    callSupervision: (serverId: string) => callSupervision(db, dialect.nowMs, serverId),
    jobs: jobStore(db),
    recordings: recordingStore(db),
    ownRecordings: ownRecordingStore(db),
    recordingRemovals: recordingRemovalStore(db),
    transcripts: transcriptStore(db),
    pushSubscriptions: pushSubscriptionStore(db),
    pushDeliveries: pushDeliveryStore(db),
    pushOutbox: pushOutboxStore(db),
    pushCallOutbox: pushCallOutboxStore(db),
    blobs,
    isReady: async () => {
      await db.selectFrom('users').select('id').limit(1).execute()
      return true
    },
  }
}
