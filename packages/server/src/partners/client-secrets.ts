import { randomBytes } from 'node:crypto'
import { ensure, OVERLAP_DEFAULT_SECONDS } from '@lectern/protocol'
import type { Keys } from '../accounts/keys.ts'
import { type Clock, unixSeconds } from '../platform/clock.ts'
import { hashNewSecret } from './secret-hash.ts'
import type { ServiceAccountStore } from './stores/service-accounts.ts'

interface ClientSecretsParts {
  store: Pick<ServiceAccountStore, 'find' | 'rotate' | 'finishRotation'>
  keys: Keys
  clock: Clock
}

export const makeClientSecret = () => randomBytes(32).toString('base64url')

/** The state of a client secret in responses; `previousUntil` as `ClientSecrets.previousUntil` returns it. */
export const presentClientSecret = (service_account: string, previousUntil: number | null) => ({
  result: 200 as const,
  service_account,
  previous_secret_expires_at: previousUntil === null ? null : new Date(previousUntil * 1000).toISOString(),
})

/** The secret of a service account, and the one before while it is being replaced. All throw `service_account_not_found`. */
export class ClientSecrets {
  readonly #parts: ClientSecretsParts

  constructor(parts: ClientSecretsParts) {
    this.#parts = parts
  }

  /** Unix seconds until when the previous secret is valid; null: there is none. */
  async previousUntil(name: string): Promise<number | null> {
    const { store, clock } = this.#parts
    const account = await store.find(name)
    ensure(account, 'service_account_not_found')
    const { expiresAt = 0 } = account.previous ?? {}
    return expiresAt > unixSeconds(clock) ? expiresAt : null
  }

  /**
   * Generates another secret and returns it; the one before stays valid for that time, at most until `previousUntil`, and so do the
   * tokens that were issued with it. Throws `rotation_in_progress` while an earlier one is valid, which would end at once, and
   * `not_configured` without JwtSecret.
   */
  async rotate(
    name: string,
    overlapSeconds = OVERLAP_DEFAULT_SECONDS,
  ): Promise<{ clientSecret: string; previousUntil: number }> {
    return this.#replace(name, overlapSeconds, unixSeconds(this.#parts.clock))
  }

  /**
   * Replaces the secret without an overlap, even while an earlier one is valid: all earlier ones end at once, with
   * their tokens.
   */
  async replace(name: string): Promise<string> {
    return (await this.#replace(name, 0)).clientSecret
  }

  async #replace(name: string, overlapSeconds: number, settledAt?: number) {
    const { store, keys, clock } = this.#parts
    ensure(keys.configured, 'not_configured', 'Set [Server] JwtSecret first: it hashes the client secret.')
    const clientSecret = makeClientSecret()
    const previousUntil = unixSeconds(clock) + overlapSeconds
    const times = { previousUntil, ...(settledAt !== undefined && { settledAt }) }
    const isReplaced = await store.rotate(name, { secretHash: hashNewSecret(keys, clientSecret), ...times })
    ensure(isReplaced !== null, 'service_account_not_found')
    ensure(isReplaced, 'rotation_in_progress')
    return { clientSecret, previousUntil }
  }

  /** The previous secret and its tokens are not valid any more. May be repeated. */
  async finish(name: string): Promise<void> {
    ensure(await this.#parts.store.finishRotation(name), 'service_account_not_found')
  }
}
