import { dirname } from 'node:path'
import { type ClusterMember, SAMPLE_INTERVAL_MS, type ServerHealth } from '@lectern/protocol'
import { invitationPath } from '../accounts/invitations.ts'
import type { ControlServer } from '../control/control-server.ts'
import { processorTimes } from '../media/statistics.ts'
import { AllSessions } from '../operations/admin/all-sessions.ts'
import { ConferenceNames } from '../operations/admin/conference-names.ts'
import { readHealth, readServerHealth } from '../operations/admin/health.ts'
import { administrationRoutes } from '../operations/admin/index.ts'
import { LiveSessions } from '../operations/admin/live-sessions.ts'
import { PartnerAdministration, type PartnerParts } from '../operations/admin/partners.ts'
import type { Sample } from '../operations/admin/ports.ts'
import { Sampler } from '../operations/admin/sampler.ts'
import { leastFreeBytes, readStorage } from '../operations/admin/storage.ts'
import { AuditLog } from '../operations/audit/audit-log.ts'
import { lastAdministratorGuard } from '../operations/operator/last-administrator.ts'
import { ServiceAccountAdminService } from '../operations/operator/service-accounts.ts'
import { UserAdminService } from '../operations/operator/users.ts'
import { WebhookAdminService } from '../operations/operator/webhooks.ts'
import type { Gauges } from '../operations/telemetry/metrics.ts'
import { RequestDurations } from '../operations/telemetry/request-durations.ts'
import { partnerLists } from '../partners/stores/administration.ts'
import { endpointStore } from '../partners/stores/v2/endpoints.ts'
import { ownerStore } from '../partners/stores/v2/owners.ts'
import { partnerRetentionStore } from '../partners/stores/v2/retention.ts'
import { isPostgresUrl } from '../platform/config/database.ts'
import type { Config } from '../platform/config/index.ts'
import { s3Settings } from '../platform/config/storage.ts'
import { RESERVE_BYTES } from '../records/storage/disk-space.ts'
import type { AccountsPart } from './accounts.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The query for the health of a server. */
const HEALTH = 'health'

/** The first sample after a start, so that charts are not empty for a minute. */
const FIRST_SAMPLE_AFTER_MS = 5_000

/** The administration API, its audit log, and the sampler of its charts. */
export function composeAdministration(
  context: ServerContext,
  stores: Stores,
  accounts: AccountsPart,
  sessions: SessionsPart,
  partnersPart: PartnersPart,
  control: ControlServer,
  cluster: Cluster,
) {
  const { clock } = context
  const { gateway, registry, records, jobs, media, lookup } = sessions
  const serverName = cluster.self.name
  const log = new AuditLog(stores.audit, clock)
  const users = new UserAdminService({
    users: stores.users,
    sessions: stores.authSessions,
    accounts: accounts.accounts,
    inviter: accounts.inviter,
    serviceAccounts: partnersPart.module?.stores.serviceAccounts ?? null,
    guard: lastAdministratorGuard({ users: stores.users, exclusively: stores.main.exclusively }),
    clock,
  })
  const requests = new RequestDurations()
  const sampler = composeSampler(context, stores, sessions, control, requests, serverName)
  const partners = new PartnerAdministration(composePartners(context, stores, accounts, partnersPart, users))
  const ownDatabase = isPostgresUrl(context.config.Db.Url) ? null : partnersPart.module
  const server = composeServerState(context, stores, sessions, control, partners, sampler, cluster, () =>
    Promise.all([stores.main, ...(ownDatabase ? [ownDatabase] : [])].map(each => each.sizeInBytes())),
  )
  const routes = administrationRoutes({
    log,
    users,
    userStore: stores.users,
    partners,
    lists: stores.administration,
    sessions: new AllSessions({
      local: new LiveSessions({ registry, media, server: serverName }),
      servers: cluster.queries,
      conferences: gateway,
    }),
    jobs,
    recordings: records.ownRecordings,
    names: new ConferenceNames({
      partners,
      findOrdinary: tag => lookup.findOrdinary(tag),
      findOrdinaryTags: stores.administration.findTags,
    }),
    ownerOf: lookup.ownerOf,
    transcripts: records.transcripts,
    conferences: gateway,
    push: { isEnabled: context.config.Push.Enabled, deliveries: stores.pushDeliveries },
    invitationUrl: token => context.url.public() + invitationPath(token),
    server,
  })
  const gauges: Gauges = {
    lectern_media_received_bps: {
      help: 'Bits per second that participants send, at the last sample of each minute.',
      read: () => sampler.traffic?.incomingBps ?? 0,
    },
    lectern_media_sent_bps: {
      help: 'Bits per second that participants receive, at the last sample of each minute.',
      read: () => sampler.traffic?.outgoingBps ?? 0,
    },
    lectern_media_packet_loss_ratio: {
      help: 'Share of the packets from participants that were lost, at the last sample of each minute.',
      read: () => sampler.traffic?.packetLoss ?? 0,
    },
    lectern_disk_free_bytes: {
      help: 'Free space of the fullest disk that the server writes to.',
      read: () => leastFreeBytes(foldersOf(context.config)),
    },
    ...(!isPostgresUrl(context.config.Db.Url) && {
      lectern_backup_newest_timestamp_seconds: {
        help: 'Unix time at which the newest complete backup was begun.',
        read: async () => secondsOf(await stores.audit.newestBackupMs()),
      },
    }),
    lectern_stored_files_bytes: {
      help: 'Size of all stored files, recordings above all.',
      read: async () => (await stores.administration.counts()).bytes,
    },
  }
  return { routes, requests, gauges, sweep: () => log.sweep(context.config.Retention.Audit) }
}

/** Throws while there is none: the metric is left out. */
function secondsOf(newestBackupMs: number | null): number {
  if (newestBackupMs === null) throw new Error('There is no backup.')
  return newestBackupMs / 1000
}

/** The folders on disks of this machine in which the server stores data. */
const foldersOf = ({ Server, Db, Storage }: Config) => ({
  ...(s3Settings(Storage) === null && { files: Storage.Url }),
  data: Server.DataDir,
  ...(!isPostgresUrl(Db.Url) && { database: dirname(Db.Url) }),
})

function composeSampler(
  { clock, lifetime, scheduler }: ServerContext,
  { samples }: Stores,
  { conferences, jobs, media }: SessionsPart,
  control: ControlServer,
  requests: RequestDurations,
  server: string | null,
): Sampler {
  const sampler = new Sampler({
    server: server ?? '',
    store: samples,
    clock,
    sessions: conferences,
    connections: () => control.size,
    jobs,
    requests,
    media: {
      measureTraffic: () => media.measureTraffic(),
      readProcessorTimes: async () => processorTimes(await media.readWorkers()),
    },
  })
  lifetime.own('sampler', sampler, each => each.stop())
  scheduler.add({
    everyMs: SAMPLE_INTERVAL_MS,
    firstAfterMs: FIRST_SAMPLE_AFTER_MS,
    run: () => sampler.sample(),
    onFailure: 'the state of the server could not be sampled',
  })
  return sampler
}

function composePartners(
  { clock }: ServerContext,
  { main }: Stores,
  { keys }: AccountsPart,
  { module }: PartnersPart,
  users: UserAdminService,
): PartnerParts | null {
  if (!module) return null
  const { serviceAccounts, webhooks, deliveries } = module.stores
  return {
    ...module.services,
    lists: partnerLists(module.db),
    serviceAccounts: new ServiceAccountAdminService({
      accounts: serviceAccounts,
      users,
      keys,
      clock,
      retention: partnerRetentionStore(main.db),
      owners: ownerStore(main.db),
      forget: endpointStore(main.db).removeAll,
    }),
    webhooks: new WebhookAdminService(deliveries, webhooks, clock),
    deliveries,
  }
}

function composeServerState(
  { config, clock, version }: ServerContext,
  { users, administration, isReady }: Stores,
  { conferences, jobs, media }: SessionsPart,
  control: ControlServer,
  partners: PartnerAdministration,
  sampler: Sampler,
  { queries, members, self }: Cluster,
  databases: () => Promise<number[]>,
) {
  const isBucket = s3Settings(config.Storage) !== null
  const own = { startedAtMs: clock(), isReady, conferences, connections: () => control.size }
  queries.serve(HEALTH, () => readServerHealth(own))
  const readMembers = async (): Promise<ClusterMember[]> => {
    const answers = await queries.askOthers<ServerHealth>(HEALTH, null)
    const health = new Map(answers.map(({ server, answer }) => [server.id, answer]))
    health.set(self.id, await readServerHealth(own))
    return members.list().map(({ id, name, role, version, region, draining }) => ({
      ...{ id, name, role, version, region, draining },
      health: health.get(id) ?? null,
    }))
  }
  return {
    health: () =>
      readHealth({
        ...own,
        version,
        clock,
        users,
        members: readMembers,
        jobs,
        media,
        pendingDeliveries: () => partners.countPendingDeliveries(),
      }),
    storage: () =>
      readStorage({
        folders: foldersOf(config),
        databases,
        bucket: isBucket ? config.Storage.Url : null,
        reserve: RESERVE_BYTES,
        lists: administration,
      }),
    samples: async () => {
      const samples = await sampler.list()
      const byServer = self.name === null ? new Map<string, Sample[]>() : samples
      return { own: samples.get(self.name ?? '') ?? [], byServer }
    },
  }
}
