import { dirname } from 'node:path'
import { type ClusterMember, SAMPLE_INTERVAL_MS, type ServerHealth } from '@lectern/protocol'
import { invitationPath } from '../accounts/invitations.ts'
import { AllSessions } from '../admin/all-sessions.ts'
import { ConferenceNames } from '../admin/conference-names.ts'
import { readHealth, readServerHealth } from '../admin/health.ts'
import { administrationRoutes } from '../admin/index.ts'
import { LiveSessions } from '../admin/live-sessions.ts'
import { PartnerAdministration, type PartnerParts } from '../admin/partners.ts'
import type { Sample } from '../admin/ports.ts'
import { Sampler } from '../admin/sampler.ts'
import { readStorage } from '../admin/storage.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { isPostgresUrl } from '../config/database.ts'
import { s3Settings } from '../config/storage.ts'
import type { ControlServer } from '../control/control-server.ts'
import { partnerLists } from '../db/integration/administration.ts'
import { endpointStore } from '../db/partner/endpoints.ts'
import { processorTimes } from '../media/statistics.ts'
import { lastAdministratorGuard } from '../operator/last-administrator.ts'
import { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import { UserAdminService } from '../operator/users.ts'
import { WebhookAdminService } from '../operator/webhooks.ts'
import { RESERVE_BYTES } from '../storage/disk-space.ts'
import { RequestDurations } from '../telemetry/request-durations.ts'
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
    names: new ConferenceNames({ partners, findOrdinary: tag => lookup.findOrdinary(tag) }),
    ownerOf: lookup.ownerOf,
    transcripts: records.transcripts,
    conferences: gateway,
    push: { isEnabled: context.config.Push.Enabled, deliveries: stores.pushDeliveries },
    invitationUrl: token => context.url.public() + invitationPath(token),
    server,
  })
  return { routes, requests, sweep: () => log.sweep() }
}

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
    serviceAccounts: new ServiceAccountAdminService(
      serviceAccounts,
      users,
      keys,
      clock,
      endpointStore(main.db).removeAll,
    ),
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
        folders: {
          ...(!isBucket && { files: config.Storage.Url }),
          data: config.Server.DataDir,
          ...(!isPostgresUrl(config.Db.Url) && { database: dirname(config.Db.Url) }),
        },
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
