import type { Logger } from 'pino'
import type { AccessVersion } from './access-version.ts'
import type { Config } from './config/index.ts'
import { deliveryStore } from './db/integration/deliveries.ts'
import { participantStore } from './db/integration/participants.ts'
import { roomStore } from './db/integration/rooms.ts'
import { serviceAccountStore } from './db/integration/service-accounts.ts'
import { webhookStore } from './db/integration/webhooks.ts'
import { openIntegrationStore } from './db/open.ts'
import { type Integration, standalone } from './hooks.ts'
import { createIntegration, type IntegrationParts } from './integration/index.ts'
import { Deliveries } from './integration/webhooks/deliveries.ts'
import type { Lifetime } from './lifetime.ts'
import type { Gauges } from './telemetry/metrics.ts'

type Shared = Omit<IntegrationParts, 'stores' | 'deliveries' | 'allowInsecureWebhooks'> & {
  accessVersion: AccessVersion
}

/**
 * The partner module as it is configured, running. With the module off, its store is neither opened nor created
 * (docs/partner-api.md).
 */
export async function loadIntegration(
  config: Config,
  lifetime: Lifetime,
  log: Logger,
  shared: Shared,
): Promise<{ integration: Integration; readings: Gauges }> {
  if (!config.Integration.Enabled) return { integration: standalone, readings: {} }
  const store = await openIntegrationStore(config.Db.IntegrationDb)
  const { db } = lifetime.own('integration store', store, opened => opened.close())
  shared.accessVersion.watch(store.dataVersion)
  const allowInsecureWebhooks = config.Integration.AllowInsecureWebhooks
  const [rooms, webhooks] = [roomStore(db, shared.accessVersion.bump), webhookStore(db)]

  const deliveries = new Deliveries({
    rooms,
    webhooks,
    deliveries: deliveryStore(db),
    allowInsecure: allowInsecureWebhooks,
    clock: shared.clock,
    log,
  })
  lifetime.own('webhook deliveries', deliveries, each => each.stop())
  deliveries.start()

  const integration = createIntegration({
    ...shared,
    stores: { serviceAccounts: serviceAccountStore(db), rooms, participants: participantStore(db), webhooks },
    deliveries,
    allowInsecureWebhooks,
  })
  return { integration, readings: deliveries.readings }
}
