import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../../platform/clock.ts'
import { webPush } from './web-push.ts'

export interface VapidKeys {
  publicKey: string
  privateKey: string
  /** Contact of the operator, a mailto: or https: address. */
  subject: string
}

/** A new pair, base64url. */
export const generateVapidKeys = (): Pick<VapidKeys, 'publicKey' | 'privateKey'> =>
  webPush().generateVAPIDKeys()

/** Push services accept at most a day (RFC 8292 section 2). */
const LIFETIME_SECONDS = 12 * 3600
/** A token is replaced well before it expires: clocks differ, and a push may wait. */
const REUSE_SECONDS = 6 * 3600
/** Push services; more only if somebody invents addresses. */
const MAX_AUDIENCES = 200

/** The `Authorization` header for each push service. A signature costs more than all else of a push, so it is reused. */
export class VapidHeaders {
  readonly #keys: VapidKeys
  readonly #clock: Clock
  readonly #cache = new LRUCache<string, { header: string; issuedAt: number }>({ max: MAX_AUDIENCES })

  constructor(keys: VapidKeys, clock: Clock) {
    this.#keys = keys
    this.#clock = clock
  }

  for(endpoint: string): string {
    const audience = new URL(endpoint).origin
    const now = unixSeconds(this.#clock)
    const known = this.#cache.get(audience)
    // One from before the clock was set back would expire too late.
    if (known && now >= known.issuedAt && now < known.issuedAt + REUSE_SECONDS) return known.header
    const { subject, publicKey, privateKey } = this.#keys
    const { Authorization: header } = webPush().getVapidHeaders(
      audience,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      now + LIFETIME_SECONDS,
    )
    this.#cache.set(audience, { header, issuedAt: now })
    return header
  }
}
