import { administrationRoutes } from '../admin/index.ts'
import { PartnerAdministration, type PartnerParts } from '../admin/partners.ts'
import { UserAdministration } from '../admin/users.ts'
import { AuditLog } from '../audit/audit-log.ts'
import { Rooms } from '../integration/rooms.ts'
import { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import { UserAdminService } from '../operator/users.ts'
import { WebhookAdminService } from '../operator/webhooks.ts'
import type { AccountsPart } from './accounts.ts'
import type { ServerContext } from './context.ts'
import type { PartnersPart } from './partners.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'

/** The administration API, and what it does periodically. */
export function composeAdministration(
  { clock }: ServerContext,
  stores: Stores,
  { keys, accounts, inviter }: AccountsPart,
  { conferences, registry, records }: SessionsPart,
  partners: PartnersPart,
) {
  const log = new AuditLog(stores.audit, clock)
  const service = new UserAdminService(stores.users, inviter, clock)
  const users = new UserAdministration({
    users: stores.users,
    sessions: stores.authSessions,
    service,
    accounts,
    clock,
  })
  const partnerParts = (module: NonNullable<PartnersPart['stores']>): PartnerParts => ({
    serviceAccounts: new ServiceAccountAdminService(module.serviceAccounts, service, keys, clock),
    rooms: new Rooms({
      store: module.rooms,
      conferences: { isLive: tag => registry.isLive(tag), end: (tag, why) => conferences.end(tag, why) },
      clock,
    }),
    roomStore: module.rooms,
    webhooks: new WebhookAdminService(module.deliveries, module.webhooks, clock),
    deliveries: module.deliveries,
  })
  const routes = administrationRoutes({
    log,
    users,
    userStore: stores.users,
    partners: new PartnerAdministration(partners.stores && partnerParts(partners.stores)),
    transcripts: records.transcripts,
    conferences,
  })
  return { routes, sweep: () => log.sweep() }
}
