import { ensure } from '@lectern/protocol'
import type { DeliveryStore, RoomStore } from '../integration/ports.ts'
import type { Rooms } from '../integration/rooms.ts'
import type { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import type { WebhookAdminService } from '../operator/webhooks.ts'

/** What administrators need of the partner module. */
export interface PartnerParts {
  serviceAccounts: ServiceAccountAdminService
  rooms: Rooms
  roomStore: RoomStore
  webhooks: WebhookAdminService
  deliveries: DeliveryStore
}

/** The partner module for administrators. */
export class PartnerAdministration {
  readonly #parts: PartnerParts | null

  /** Null: the module is disabled. */
  constructor(parts: PartnerParts | null) {
    this.#parts = parts
  }

  get isEnabled(): boolean {
    return this.#parts !== null
  }

  /** Throws `partner_module_disabled`. */
  get parts(): PartnerParts {
    ensure(this.#parts, 'partner_module_disabled')
    return this.#parts
  }
}
