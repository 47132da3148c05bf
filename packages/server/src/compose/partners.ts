import type { Kysely } from 'kysely'
import { isActive } from '../accounts/eligible.ts'
import { type Integration, standalone } from '../hooks.ts'
import type { Gauges } from '../operations/telemetry/metrics.ts'
import { createIntegration, type IntegrationParts, type PartnerServices } from '../partners/index.ts'
import { deliveryStore } from '../partners/stores/deliveries.ts'
import { participantStore } from '../partners/stores/participants.ts'
import { roomStore } from '../partners/stores/rooms.ts'
import { serviceAccountStore } from '../partners/stores/service-accounts.ts'
import { webhookStore } from '../partners/stores/webhooks.ts'
import { activeWhileUsable } from '../partners/webhooks/active-webhooks.ts'
import { Deliveries } from '../partners/webhooks/deliveries.ts'
import { openIntegrationStore } from '../platform/db/open.ts'
import type { IntegrationSchema } from '../platform/db/schema.ts'
import { statementSpans } from '../platform/db/statements.ts'
import { Outbox } from '../records/outbox.ts'
import type { AccountsPart } from './accounts.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import type { SessionsPart } from './sessions.ts'
import type { Stores } from './stores.ts'
import { hasTranscriber } from './workers.ts'

export type PartnersPart = Awaited<ReturnType<typeof composePartners>>

/** The partner module, and the outbox that notifies partners of records. */
export async function composePartners(
  context: ServerContext,
  stores: Stores,
  accounts: AccountsPart,
  sessions: SessionsPart,
  cluster: Cluster,
) {
  const { clock, log, lifetime, domainEvents } = context
  const { integration, gauges, module } = await openIntegration(context, stores, accounts, sessions, cluster)
  sessions.lookup.useRooms(integration)
  const outbox = new Outbox({
    recordings: stores.recordings,
    transcripts: stores.transcripts,
    notifyPartner: integration.notifyPartner,
    ownerOf: integration.ownerOf,
    clock,
    log,
  })
  lifetime.own('outbox', outbox, each => each.stop())
  domainEvents.subscribe('record-stored', () => void outbox.poll())
  void outbox.poll()
  return { integration, outbox, gauges, module }
}

/** What administrators use of the module. */
interface PartnerModule {
  db: Kysely<IntegrationSchema>
  sizeInBytes: () => Promise<number>
  stores: Pick<IntegrationParts['stores'], 'serviceAccounts' | 'webhooks' | 'deliveries'>
  services: PartnerServices
}

/** With the module off, its store is neither opened nor created. */
async function openIntegration(
  { config, clock, log, lifetime, version, url, tracing }: ServerContext,
  { accessVersion }: Stores,
  { accounts, sessions, jwt, keys }: AccountsPart,
  { registry, gateway }: SessionsPart,
  { members }: Cluster,
): Promise<{ integration: Integration; gauges: Gauges; module: PartnerModule | null }> {
  if (!config.Integration.Enabled) return { integration: standalone, gauges: {}, module: null }
  const store = await openIntegrationStore(config.Db.IntegrationDb, {
    maxConnections: config.Db.MaxConnections,
    onStatement: statementSpans(tracing),
  })
  const { db } = lifetime.own('integration store', store, opened => opened.close())
  accessVersion.watch(store.accessChanges)
  const allowInsecureWebhooks = config.Integration.AllowInsecureWebhooks
  const stores = {
    serviceAccounts: serviceAccountStore(db),
    rooms: roomStore(db, accessVersion.bump),
    participants: participantStore(db),
    webhooks: activeWhileUsable(webhookStore(db), async id => isActive(await accounts.find(id))),
    deliveries: deliveryStore(db),
  }

  const deliveries = new Deliveries({
    ...stores,
    allowInsecure: allowInsecureWebhooks,
    servers: () => members.list('server').length,
    clock,
    log,
    tracing,
  })
  lifetime.own('webhook deliveries', deliveries, each => each.stop())
  deliveries.start()

  const { integration, services } = createIntegration({
    stores,
    deliveries,
    allowInsecureWebhooks,
    conferences: {
      isLive: tag => registry.isLive(tag),
      listLive: tags => registry.listLive(tags),
      preview: tag => gateway.preview(tag),
      end: (tag, reason) => gateway.end(tag, reason),
    },
    accounts,
    sessions,
    jwt,
    keys,
    clock,
    version,
    hasTranscriber: () => hasTranscriber(config, accounts),
    publicUrl: url.public,
    plainLink: config.Integration.PlainLink,
    isLimited: config.Limits.Enabled,
  })
  const module = { db, sizeInBytes: store.sizeInBytes, stores, services }
  return { integration, gauges: deliveries.metrics, module }
}
