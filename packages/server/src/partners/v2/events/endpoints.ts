import { randomBytes } from 'node:crypto'
import {
  ENDPOINTS_MAX,
  type EndpointChange,
  type EndpointRequest,
  ensure,
  OVERLAP_DEFAULT_SECONDS,
  PARTNER_EVENTS,
  TEST_EVENT,
} from '@lectern/protocol'
import type { Clock } from '../../../platform/clock.ts'
import { ensureTargetAllowed } from '../../../platform/delivery/target.ts'
import type {
  AfterPage,
  DeliveryStatus,
  DeliveryWithHistory,
  Endpoint,
  EndpointDelivery,
} from '../../ports.ts'
import type { Caller } from '../../service-accounts.ts'
import type { EndpointDeliveryStore } from '../../stores/v2/deliveries.ts'
import type { EndpointStore } from '../../stores/v2/endpoints.ts'
import { ensureSecret } from './headers.ts'

interface EndpointsParts {
  store: EndpointStore
  deliveries: EndpointDeliveryStore
  queue: { wake(): void }
  allowInsecure: boolean
  clock: Clock
}

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/** The endpoints of a service account and their deliveries. Those of others do not exist for it. */
export class Endpoints {
  readonly #parts: EndpointsParts

  constructor(parts: EndpointsParts) {
    this.#parts = parts
  }

  /** Throws `too_many_endpoints`, or `invalid_argument` for a target that is not permitted, or a malformed secret. */
  async add({ name, clientId }: Caller, request: EndpointRequest): Promise<Endpoint> {
    const { store, allowInsecure, clock } = this.#parts
    if (request.secret !== undefined) ensureSecret(request.secret)
    await ensureTargetAllowed(request.url, allowInsecure)
    const endpoint: Endpoint = {
      id: `end_${randomBytes(12).toString('hex')}`,
      serviceAccount: name,
      clientId,
      url: request.url,
      secret: request.secret ?? makeSecret(),
      events: request.events ?? [...PARTNER_EVENTS],
      enabled: request.enabled ?? true,
      description: request.description ?? null,
      failingSinceMs: null,
      disabledReason: null,
      createdAtMs: clock(),
    }
    ensure(await store.add(endpoint, ENDPOINTS_MAX), 'too_many_endpoints')
    return endpoint
  }

  list({ name }: Caller): Promise<Endpoint[]> {
    return this.#parts.store.list(name)
  }

  /** A previous secret that has expired is left out. Throws `endpoint_not_found`. */
  async find({ name }: Caller, id: string): Promise<Endpoint> {
    const endpoint = await this.#parts.store.find(name, id)
    ensure(endpoint, 'endpoint_not_found')
    if (!endpoint.previous || endpoint.previous.expiresAtMs > this.#parts.clock()) return endpoint
    const { previous: _, ...rest } = endpoint
    return rest
  }

  /** Changes only the given fields. Throws `endpoint_not_found`, or `invalid_argument` as `add` does. */
  async change(caller: Caller, id: string, changes: EndpointChange): Promise<Endpoint> {
    const { store, allowInsecure } = this.#parts
    await this.find(caller, id)
    if (changes.secret !== undefined) ensureSecret(changes.secret)
    if (changes.url !== undefined) await ensureTargetAllowed(changes.url, allowInsecure)
    await store.update(caller.name, id, changes)
    return this.find(caller, id)
  }

  /** Removes it with its deliveries. Throws `endpoint_not_found`. */
  async remove({ name }: Caller, id: string): Promise<void> {
    ensure(await this.#parts.store.remove(name, id), 'endpoint_not_found')
  }

  /**
   * Replaces the secret of an endpoint as of a webhook (rule SECRET-1). Throws `endpoint_not_found`,
   * `rotation_in_progress`, or `invalid_argument`.
   */
  async rotate(
    caller: Caller,
    id: string,
    secret = makeSecret(),
    overlapSeconds = OVERLAP_DEFAULT_SECONDS,
  ): Promise<Endpoint> {
    const { store, clock } = this.#parts
    const before = await this.find(caller, id)
    if (before.secret === secret) return before
    ensureSecret(secret)
    const nowMs = clock()
    const rotation = { from: before.secret, to: secret, untilMs: nowMs + overlapSeconds * 1000 }
    ensure(await store.rotate(id, rotation, nowMs), 'rotation_in_progress')
    return this.find(caller, id)
  }

  /** Stores a test event, which is sent like any other. Throws `endpoint_not_found` or `endpoint_disabled`. */
  async sendTest(caller: Caller, id: string): Promise<EndpointDelivery> {
    const { deliveries, queue, clock } = this.#parts
    const endpoint = await this.find(caller, id)
    ensure(endpoint.enabled, 'endpoint_disabled')
    const eventId = `evt_${randomBytes(16).toString('hex')}`
    const created_at = new Date(clock()).toISOString()
    const data = { service_account: caller.name, endpoint_id: id }
    const delivery = {
      id: `dlv_${randomBytes(12).toString('hex')}`,
      endpointId: id,
      eventId,
      type: TEST_EVENT,
      body: JSON.stringify({ id: eventId, type: TEST_EVENT, created_at, data }),
    }
    ensure(await deliveries.add(delivery, clock()), 'endpoint_not_found')
    queue.wake()
    return this.delivery(caller, id, delivery.id)
  }

  async listDeliveries(
    caller: Caller,
    id: string,
    status: DeliveryStatus | undefined,
    page: AfterPage,
  ): Promise<EndpointDelivery[]> {
    await this.find(caller, id)
    return this.#parts.deliveries.list(id, status, page)
  }

  /** Throws `endpoint_not_found` or `delivery_not_found`. */
  async delivery(caller: Caller, id: string, deliveryId: string): Promise<DeliveryWithHistory> {
    await this.find(caller, id)
    const delivery = await this.#parts.deliveries.find(id, deliveryId)
    ensure(delivery, 'delivery_not_found')
    return delivery
  }

  /** Sends it again with the same event, and all attempts. Throws `endpoint_disabled` or `delivery_not_replayable`. */
  async replay(caller: Caller, id: string, deliveryId: string): Promise<EndpointDelivery> {
    const { deliveries, queue, clock } = this.#parts
    await this.delivery(caller, id, deliveryId)
    ensure((await this.find(caller, id)).enabled, 'endpoint_disabled')
    const isReplayed = await deliveries.replay(id, deliveryId, clock())
    ensure(isReplayed, 'delivery_not_replayable', 'It is being sent right now.')
    queue.wake()
    return this.delivery(caller, id, deliveryId)
  }

  /** Sends all that failed since that time again, and returns how many they are. Throws `endpoint_disabled`. */
  async replayFailed(caller: Caller, id: string, sinceMs: number): Promise<number> {
    const { deliveries, queue, clock } = this.#parts
    ensure((await this.find(caller, id)).enabled, 'endpoint_disabled')
    const count = await deliveries.replayFailed(id, sinceMs, clock())
    queue.wake()
    return count
  }
}
