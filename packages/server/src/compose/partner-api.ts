import type { Kysely } from 'kysely'
import { useAuditing } from '../operations/admin/auditing.ts'
import { AuditLog } from '../operations/audit/audit-log.ts'
import type { DeliveryToSend, Endpoint } from '../partners/ports.ts'
import type { ServiceAccountStore } from '../partners/stores/service-accounts.ts'
import { partnerArchive } from '../partners/stores/v2/archive.ts'
import { roomDeletionStore } from '../partners/stores/v2/deletions.ts'
import { endpointDeliveryStore } from '../partners/stores/v2/deliveries.ts'
import { endpointStore } from '../partners/stores/v2/endpoints.ts'
import { partnerEventStore } from '../partners/stores/v2/events.ts'
import { partnerFacts } from '../partners/stores/v2/facts.ts'
import { ownerStore } from '../partners/stores/v2/owners.ts'
import { peopleStore } from '../partners/stores/v2/people.ts'
import { requestStore } from '../partners/stores/v2/requests.ts'
import { partnerRetentionStore } from '../partners/stores/v2/retention.ts'
import { usageStore } from '../partners/stores/v2/usage.ts'
import { endpointAttempts } from '../partners/v2/events/attempt.ts'
import { usableEndpoints } from '../partners/v2/events/usable-endpoints.ts'
import type { PartnerApiParts } from '../partners/v2/index.ts'
import { sendfileSettings } from '../platform/config/sendfile.ts'
import type { MainSchema } from '../platform/db/schema.ts'
import { ConcurrencyLimiter } from '../platform/delivery/concurrency-limiter.ts'
import { createPost } from '../platform/delivery/guarded-post.ts'
import { DeliveryQueue } from '../platform/delivery/queue.ts'
import { blobSender } from '../records/routes/blobs/send.ts'
import { documentScope, recordingScope, transcriptScope } from '../records/scope.ts'
import type { AccountsPart } from './accounts.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import { composeLti } from './lti.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The name of a person of a deleted room who is in no other one. */
const FORGOTTEN = 'Guest'

const openStores = (db: Kysely<MainSchema>, onLinksChange: () => void) => ({
  people: peopleStore(db, onLinksChange),
  events: partnerEventStore(db),
  facts: partnerFacts(db),
  endpoints: endpointStore(db),
  endpointDeliveries: endpointDeliveryStore(db),
  requests: requestStore(db),
  archive: partnerArchive(db),
  deletions: roomDeletionStore(db),
  usage: usageStore(db),
  retention: partnerRetentionStore(db),
  owners: ownerStore(db),
})

/** Composes version 2 of the partner API. */
export function composePartnerApi(
  context: ServerContext,
  mainStores: Stores,
  { accounts }: AccountsPart,
  { gateway, jobs, records, files }: SessionsPart,
  cluster: Cluster,
  serviceAccounts: ServiceAccountStore,
): PartnerApiParts {
  const { config, clock, log, lifetime, lastTime } = context
  const { main, accessVersion, blobs, audit } = mainStores
  const { members } = cluster
  const stores = openStores(main.db, accessVersion.bump)
  const auditLog = new AuditLog(audit, clock)
  const actor = async (userId: number, name?: string) => {
    const login = name ?? (await accounts.find(userId))?.login ?? ''
    return { kind: 'user', userId, name: login, address: '' } as const
  }
  const { endpoints, endpointDeliveries: store } = stores
  const queue = new DeliveryQueue<DeliveryToSend>({
    kind: 'event',
    store,
    attempt: endpointAttempts({
      store,
      endpoints,
      isUsable: usableEndpoints({ serviceAccounts, accounts }),
      post: createPost({ allowInsecure: config.Integration.AllowInsecureWebhooks }),
      onDisabled: async ({ id, clientId, serviceAccount }: Endpoint) =>
        auditLog
          .run(
            {
              actor: await actor(clientId, serviceAccount),
              action: 'endpoint.disable',
              target: id,
              details: {},
            },
            async () => {},
          )
          .catch(error =>
            log.error(
              { err: error },
              'an endpoint was disabled without an entry in the audit log, which could not be stored',
            ),
          ),
      clock,
      log,
    }),
    clock,
    log,
    limiter: new ConcurrencyLimiter(undefined, () => members.list('server').length),
    setBackMs: lastTime.setBackMs,
  })
  lifetime.own('event deliveries', queue, each => each.stop())
  queue.start()
  const removeRecording = (id: string) => records.ownRecordings.removeAny(id)
  return {
    stores,
    keptDaysMax: config.Retention.Recordings || null,
    sessions: gateway,
    queue,
    archive: {
      cancelJob: id => jobs.cancel(id),
      abandonJob: id => jobs.abandon(id),
      removeRecording,
      removeFile: id => blobs.remove(id),
      removeConferenceFile: id => files.remove(id),
      scopesOf: (tag, jobIds, fileIds) => [
        recordingScope(tag),
        ...jobIds.map(transcriptScope),
        ...fileIds.map(documentScope),
      ],
    },
    findTranscript: id => records.transcripts.find(id),
    forgetPerson: async userId => {
      const user = await accounts.find(userId)
      if (user) await accounts.rename(user, FORGOTTEN)
    },
    auditRecordingRemoval: async ({ clientId, recordingId, reason }, remove) => {
      const entry = { actor: await actor(clientId), action: 'recording.delete', target: recordingId } as const
      await auditLog.run({ ...entry, details: { reason } }, remove)
    },
    exclusively: (name, work) => main.exclusively(name, work),
    blobs,
    sendBlob: blobSender(blobs, sendfileSettings(config)),
    lti: composeLti(context, mainStores, cluster),
    log,
    auditOwners: (app, { ownerOf, isForOwners }) =>
      useAuditing(app, auditLog, {
        actorOf: request => {
          const owner = ownerOf(request)
          return owner
            ? { kind: 'user', userId: owner.userId, name: owner.login, address: owner.address }
            : null
        },
        isAudited: isForOwners,
      }),
  }
}
