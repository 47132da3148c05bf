import { ensure } from '@lectern/protocol'
import type { PartnerLists } from '../db/integration/administration.ts'
import type { DeliveryStore } from '../db/integration/deliveries.ts'
import type { Rooms } from '../integration/rooms.ts'
import type { OwnDeliveries } from '../integration/webhooks/own-deliveries.ts'
import type { Webhooks } from '../integration/webhooks/webhooks.ts'
import type { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import type { WebhookAdminService } from '../operator/webhooks.ts'

/** What administrators need of the partner module. */
export interface PartnerParts {
  lists: PartnerLists
  serviceAccounts: ServiceAccountAdminService
  rooms: Rooms
  webhooks: WebhookAdminService
  /** Those of one service account, and test events. */
  ownDeliveries: OwnDeliveries
  webhookSettings: Webhooks
  deliveries: DeliveryStore
}

/** The partner module for administrators. */
export class PartnerAdministration {
  readonly #parts: PartnerParts | null

  /** Null: the module is disabled. */
  constructor(parts: PartnerParts | null) {
    this.#parts = parts
  }

  /** Throws `partner_module_disabled`. */
  get parts(): PartnerParts {
    ensure(this.#parts, 'partner_module_disabled')
    return this.#parts
  }

  /** Null: the module is disabled. */
  async countPendingDeliveries(): Promise<number | null> {
    return this.#parts && (await this.#parts.deliveries.pending()).count
  }
}
