import { ensure } from '@lectern/protocol'
import type { PartnerServices } from '../../partners/index.ts'
import type { Room, ServiceAccount } from '../../partners/ports.ts'
import type { PartnerLists } from '../../partners/stores/administration.ts'
import type { DeliveryStore } from '../../partners/stores/deliveries.ts'
import type { ServiceAccountAdminService } from '../operator/service-accounts.ts'
import type { WebhookAdminService } from '../operator/webhooks.ts'

/** The parts of the partner module that administrators use. */
export interface PartnerParts extends PartnerServices {
  lists: PartnerLists
  serviceAccounts: ServiceAccountAdminService
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

  /** Throws `partner_module_disabled`. */
  get parts(): PartnerParts {
    ensure(this.#parts, 'partner_module_disabled')
    return this.#parts
  }

  /** Throws `service_account_not_found`. */
  async findServiceAccount(name: string): Promise<ServiceAccount> {
    const account = await this.parts.serviceAccounts.find(name)
    ensure(account, 'service_account_not_found')
    return account
  }

  /** Null: there is no such room, or the module is disabled. */
  async findRoom(tag: string): Promise<Room | null> {
    return (await this.#parts?.rooms.findByTag(tag)) ?? null
  }

  /** Tags of the newest rooms whose title, external id or tag contains the text; none while the module is disabled. */
  async findTags(search: string, limit: number): Promise<string[]> {
    return this.#parts ? this.#parts.lists.findTags(search, limit) : []
  }

  /** Null: the module is disabled. */
  async countPendingDeliveries(): Promise<number | null> {
    return this.#parts && (await this.#parts.deliveries.pending()).count
  }
}
