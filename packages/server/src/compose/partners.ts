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
import { presentSlides } from '../records/routes/files/present.ts'
import type { AccountsPart } from './accounts.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { ServerContext } from './context.ts'
import { composePartnerApi } from './partner-api.ts'
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
  const { clock, monotonicMs, log, lifetime, domainEvents } = context
  const { integration, gauges, module, v2 } = await openIntegration(
    context,
    stores,
    accounts,
    sessions,
    cluster,
  )
  sessions.lookup.useRooms(integration)
  const outbox = new Outbox({
    recordings: stores.recordings,
    transcripts: stores.transcripts,
    notifyPartner: integration.notifyPartner,
    withdraw: integration.withdraw,
    ownerOf: integration.ownerOf,
    clock,
    monotonicMs,
    log,
  })
  lifetime.own('outbox', outbox, each => each.stop())
  domainEvents.subscribe('record-stored', () => void outbox.poll())
  void outbox.poll()
  if (v2) lifetime.own('events of rooms', v2.publisher, each => each.stop())
  return { integration, outbox, gauges, module, v2 }
}

/** The part of the module that administrators use. */
interface PartnerModule {
  db: Kysely<IntegrationSchema>
  sizeInBytes: () => Promise<number>
  stores: Pick<IntegrationParts['stores'], 'serviceAccounts' | 'webhooks' | 'deliveries'>
  services: PartnerServices
}

type PartnerApi = ReturnType<typeof createIntegration>['v2']

/** With the module off, its store is neither opened nor created. */
async function openIntegration(
  context: ServerContext,
  mainStores: Stores,
  accountsPart: AccountsPart,
  sessionsPart: SessionsPart,
  cluster: Cluster,
): Promise<{
  integration: Integration
  gauges: Gauges
  module: PartnerModule | null
  v2: PartnerApi | null
}> {
  const { config, clock, log, lifetime, lastTime, version, url, tracing } = context
  if (!config.Integration.Enabled) return { integration: standalone, gauges: {}, module: null, v2: null }
  const { accessVersion } = mainStores
  const { accounts, sessions, jwt, keys } = accountsPart
  const { registry, gateway, slides } = sessionsPart
  const { members } = cluster
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
    setBackMs: lastTime.setBackMs,
  })
  lifetime.own('webhook deliveries', deliveries, each => each.stop())
  deliveries.start()

  const { integration, services, v2 } = createIntegration({
    stores,
    deliveries,
    allowInsecureWebhooks,
    conferences: {
      isLive: tag => registry.isLive(tag),
      listLive: tags => registry.listLive(tags),
      preview: tag => gateway.preview(tag),
      end: (tag, reason) => gateway.end(tag, reason),
      reevaluateLobby: tag => gateway.reevaluateLobby(tag),
      endMembership: async (tag, userId) => {
        await gateway.performForPlatform(tag, { is: 'end_membership', userId })
      },
      endSharedMemberships: async (tag, role) => {
        await gateway.performForPlatform(tag, { is: 'end_shared_memberships', role })
      },
    },
    slides: {
      find: async tag => {
        const found = await slides.find(tag)
        return found && presentSlides(found)
      },
      put: async (tag, upload) => presentSlides(await slides.put(tag, upload)),
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
    v2: composePartnerApi(context, mainStores, accountsPart, sessionsPart, cluster, stores.serviceAccounts),
  })
  const module = { db, sizeInBytes: store.sizeInBytes, stores, services }
  return { integration, gauges: deliveries.metrics, module, v2 }
}
