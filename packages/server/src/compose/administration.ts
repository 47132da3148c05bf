import { dirname } from 'node:path'
import { SAMPLE_INTERVAL_MS } from '@lectern/protocol'
import { invitationPath } from '../accounts/invitations.ts'
import { readHealth } from '../admin/health.ts'
import { administrationRoutes } from '../admin/index.ts'
import { LiveSessions } from '../admin/live-sessions.ts'
import { PartnerAdministration, type PartnerParts } from '../admin/partners.ts'
import { Sampler } from '../admin/sampler.ts'
import { readStorage } from '../admin/storage.ts'
import { UserAdministration } from '../admin/users.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { isPostgresUrl } from '../config/database.ts'
import type { ControlServer } from '../control/control-server.ts'
import { partnerLists } from '../db/integration/administration.ts'
import { Rooms } from '../integration/rooms.ts'
import { processorTimes } from '../media/statistics.ts'
import { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import { UserAdminService } from '../operator/users.ts'
import { WebhookAdminService } from '../operator/webhooks.ts'
import { RESERVE_BYTES } from '../storage/disk-space.ts'
import { RequestDurations } from '../telemetry/request-durations.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

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
) {
  const { clock } = context
  const { gateway, registry, records, jobs, media, lookup } = sessions
  const log = new AuditLog(stores.audit, clock)
  const service = new UserAdminService(stores.users, accounts.inviter, clock)
  const requests = new RequestDurations()
  const sampler = composeSampler(context, stores, sessions, control, requests)
  const partners = new PartnerAdministration(
    composePartners(context, accounts, sessions, partnersPart, service),
  )
  const users = new UserAdministration({
    users: stores.users,
    sessions: stores.authSessions,
    service,
    accounts: accounts.accounts,
    clock,
  })
  const ownDatabase = isPostgresUrl(context.config.Db.Url) ? null : partnersPart.stores
  const server = composeServerState(context, stores, sessions, control, partners, sampler, () =>
    Promise.all([stores.main, ...(ownDatabase ? [ownDatabase] : [])].map(each => each.sizeInBytes())),
  )
  const routes = administrationRoutes({
    log,
    users,
    userStore: stores.users,
    partners,
    lists: stores.administration,
    sessions: new LiveSessions({ registry, conferences: gateway, media }),
    jobs,
    recordings: records.ownRecordings,
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
): Sampler {
  const sampler = new Sampler({
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
  { keys }: AccountsPart,
  { registry, gateway }: SessionsPart,
  { stores: module }: PartnersPart,
  users: UserAdminService,
): PartnerParts | null {
  if (!module) return null
  const { serviceAccounts, rooms, webhooks, deliveries } = module
  return {
    lists: partnerLists(module.db),
    serviceAccounts: new ServiceAccountAdminService(serviceAccounts, users, keys, clock),
    rooms: new Rooms({
      store: rooms,
      conferences: { isLive: tag => registry.isLive(tag), end: (tag, why) => gateway.end(tag, why) },
      clock,
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
  databases: () => Promise<number[]>,
) {
  const startedAtMs = clock()
  return {
    health: () =>
      readHealth({
        version,
        startedAtMs,
        clock,
        isReady,
        users,
        conferences,
        connections: () => control.size,
        jobs,
        media,
        pendingDeliveries: () => partners.countPendingDeliveries(),
      }),
    storage: () =>
      readStorage({
        folders: {
          files: config.Storage.Url,
          data: config.Server.DataDir,
          ...(!isPostgresUrl(config.Db.Url) && { database: dirname(config.Db.Url) }),
        },
        databases,
        reserve: RESERVE_BYTES,
        lists: administration,
      }),
    samples: () => sampler.list(),
  }
}
